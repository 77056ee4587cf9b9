package dev.holdfast.archive.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.archive.Vectors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class ChunkerTest {

    static byte[] input(String kind, int length) {
        ByteBuffer out = ByteBuffer.allocate((length + 63) / 32 * 32).order(ByteOrder.LITTLE_ENDIAN);
        switch (kind) {
            case "zeros" -> {}
            case "counter-u32le" -> {
                for (int i = 0; out.position() < length; i++) {
                    out.putInt(i);
                }
            }
            case "sha-stream" -> {
                MessageDigest sha = sha256();
                ByteBuffer counter = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
                for (long i = 0; out.position() < length; i++) {
                    counter.putLong(0, i);
                    out.put(sha.digest(counter.array()));
                }
            }
            default -> throw new IllegalArgumentException(kind);
        }
        return Arrays.copyOf(out.array(), length);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The algorithm as the format description words it, byte by byte. */
    static List<Long> referenceCuts(byte[] data, int average) {
        List<Long> ends = new ArrayList<>();
        int mask = 2 * average - 1;
        int h = 0;
        int size = 0;
        for (int i = 0; i < data.length; i++) {
            h = Integer.rotateLeft(h, 1) ^ BuzhashTable.VALUES[data[i] & 0xff];
            if (size >= 64) {
                h ^= BuzhashTable.VALUES[data[i - 64] & 0xff];
            }
            size++;
            if (size > 64 && (size >= 4 * average || size >= average / 4 && (h & mask) >= mask - 2)) {
                ends.add(i + 1L);
                size = 0;
                h = 0;
            }
        }
        if (size > 0) {
            ends.add((long) data.length);
        }
        return ends;
    }

    static List<Long> pulledCuts(InputStream in, Chunker chunker) throws IOException {
        ChunkStream stream = new ChunkStream(in, chunker);
        List<Long> ends = new ArrayList<>();
        while (stream.next()) {
            ends.add(stream.start() + stream.length());
        }
        return ends;
    }

    static Stream<JsonNode> vectors() {
        return Vectors.json("chunk/chunker.json").get("chunker").valueStream();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void goldenInput_isCutWherePbsCuts(JsonNode vector) throws IOException {
        byte[] data = input(vector.get("input").asString(), vector.get("length").asInt());
        List<Long> ends = vector.get("ends").valueStream().map(JsonNode::asLong).toList();
        int average = vector.get("avg").asInt();

        assertThat(pulledCuts(new ByteArrayInputStream(data), new BuzhashChunker(average)))
                .isEqualTo(ends);
        assertThat(referenceCuts(data, average)).isEqualTo(ends);
    }

    @Test
    void table_isThePublishedOne() {
        ByteBuffer big = ByteBuffer.allocate(1024);
        Arrays.stream(BuzhashTable.VALUES).forEach(big::putInt);
        assertThat(Vectors.hex(sha256().digest(big.array())))
                .isEqualTo("639c1ee8734feb1bf879927c7a174b6fec1aceb0b1ce56b3148a8f04b060c25e");
    }

    @Test
    void shaStream_isTheOneOfTheVectors() {
        assertThat(Vectors.hex(sha256().digest(input("sha-stream", 1 << 20))))
                .isEqualTo("8936491f7e7dd3ca297960ec425e8375f1b9db51278d5fff5481205c0992a132");
    }

    /** Pieces of 1 to 200 bytes around the window and of many KiB, and long constant runs in the data. */
    @Property(tries = 60)
    void cuts_doNotDependOnHowTheStreamIsSplit(@ForAll long seed, @ForAll @IntRange(max = 400_000) int length) {
        Random random = new Random(seed);
        byte[] data = new byte[length];
        random.nextBytes(data);
        if (random.nextBoolean()) {
            Arrays.fill(data, length / 4, length / 2, (byte) random.nextInt());
        }
        List<Long> ends = new ArrayList<>();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        int most = random.nextBoolean() ? 200 : 50_000;
        try (ChunkingOutputStream out = new ChunkingOutputStream(new BuzhashChunker(1 << 16), (bytes, n, start) -> {
            assertThat(start).isEqualTo(whole.size());
            whole.write(bytes, 0, n);
            ends.add(start + n);
        })) {
            for (int at = 0; at < length; ) {
                int n = Math.min(length - at, random.nextInt(most) + 1);
                out.write(data, at, n);
                at += n;
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertThat(whole.toByteArray()).isEqualTo(data);
        assertThat(ends).isEqualTo(referenceCuts(data, 1 << 16));
    }

    @Test
    void streamThatGivesOneByteAtATime_isCutTheSame() throws IOException {
        byte[] data = input("sha-stream", 300_000);
        InputStream slow = new ByteArrayInputStream(data) {
            @Override
            public synchronized int read(byte[] b, int off, int len) {
                return super.read(b, off, Math.min(len, 1));
            }
        };
        assertThat(pulledCuts(slow, new BuzhashChunker(1 << 16))).isEqualTo(referenceCuts(data, 1 << 16));
    }

    @Test
    void fixedChunker_cutsEqualPiecesAndAShorterLastOne() throws IOException {
        InputStream in = new ByteArrayInputStream(new byte[200_000]);
        assertThat(pulledCuts(in, new FixedChunker(1 << 16))).containsExactly(65536L, 131072L, 196608L, 200_000L);
        in = new ByteArrayInputStream(new byte[131072]);
        assertThat(pulledCuts(in, new FixedChunker(1 << 16))).containsExactly(65536L, 131072L);
    }

    @Test
    void emptyStream_hasNoChunk() throws IOException {
        assertThat(pulledCuts(InputStream.nullInputStream(), new BuzhashChunker(1 << 16)))
                .isEmpty();
    }

    @Test
    void failedSink_endsTheStreamOfChunks() {
        List<Integer> seen = new ArrayList<>();
        assertThatThrownBy(() -> {
                    try (ChunkingOutputStream out =
                            new ChunkingOutputStream(new FixedChunker(1 << 16), (bytes, n, start) -> {
                                seen.add(n);
                                throw new IOException("full");
                            })) {
                        out.write(new byte[100_000]);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessage("full");
        assertThat(seen).containsExactly(65536);
    }

    @Test
    void sizeThatIsNotAPowerOfTwoOrOutOfBounds_isRefused() {
        assertThatThrownBy(() -> new BuzhashChunker(100_000)).hasMessageContaining("power of two");
        assertThatThrownBy(() -> new BuzhashChunker(1 << 15)).hasMessageContaining("65536");
        assertThatThrownBy(() -> new FixedChunker(0)).hasMessageContaining("power of two");
    }
}
