package dev.holdfast.archive.pxar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.archive.ArchiveFormatException;
import dev.holdfast.archive.ArrayByteSource;
import dev.holdfast.archive.Vectors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Random trees there and back, and what damage does to archives. */
class PxarPropertyTest {

    private static final String[] GOLDEN = {
        "tiny-v1", "full-v1", "many-v1", "legacy-entry-v1", "tiny-v2-prelude", "full-v2"
    };

    /** Writes a random directory's children, and what a reader should say about them. */
    private static final class Tree {

        private final Random random;
        private final PxarEncoder encoder;
        private final List<String> lines = new ArrayList<>();
        private final List<LinkTarget> files = new ArrayList<>();

        Tree(Random random, PxarEncoder encoder) {
            this.random = random;
            this.encoder = encoder;
        }

        void root() throws IOException {
            EntryMetadata metadata = metadata(EntryStat.DIRECTORY);
            encoder.startRoot(metadata);
            add(new byte[0], EntryKind.DIRECTORY, "", metadata);
            children(0);
        }

        private void add(byte[] name, EntryKind kind, String body, EntryMetadata metadata) {
            lines.add(Vectors.hex(name) + " " + kind + " " + body + " "
                    + (metadata == null ? "" : Rendering.metadata(metadata)));
        }

        private void children(int depth) throws IOException {
            TreeMap<byte[], Integer> names = new TreeMap<>(Arrays::compareUnsigned);
            for (int n = random.nextInt(depth == 0 ? 12 : 5); n > 0; n--) {
                names.put(name(), random.nextInt(8));
            }
            for (byte[] name : names.keySet()) {
                child(name, names.get(name), depth);
            }
            encoder.endDirectory();
            lines.add("..");
        }

        private void child(byte[] name, int choice, int depth) throws IOException {
            switch (choice) {
                case 0, 1 -> {
                    EntryMetadata metadata = metadata(EntryStat.DIRECTORY);
                    encoder.startDirectory(name, metadata);
                    add(name, EntryKind.DIRECTORY, "", metadata);
                    if (depth < 5) {
                        children(depth + 1);
                    } else {
                        encoder.endDirectory();
                        lines.add("..");
                    }
                }
                case 2, 3 -> file(name);
                case 4 -> {
                    EntryMetadata metadata = metadata(EntryStat.SYMLINK);
                    byte[] target = name();
                    encoder.symlink(name, metadata, target);
                    add(name, EntryKind.SYMLINK, Vectors.hex(target), metadata);
                }
                case 5 -> {
                    boolean block = random.nextBoolean();
                    EntryMetadata metadata = metadata(block ? EntryStat.BLOCK_DEVICE : EntryStat.CHARACTER_DEVICE);
                    EntryBody.Device device = new EntryBody.Device(random.nextLong(), random.nextInt(300));
                    encoder.device(name, metadata, device.major(), device.minor());
                    add(name, block ? EntryKind.BLOCK_DEVICE : EntryKind.CHARACTER_DEVICE, device.toString(), metadata);
                }
                case 6 -> {
                    boolean fifo = random.nextBoolean();
                    EntryMetadata metadata = metadata(fifo ? EntryStat.FIFO : EntryStat.SOCKET);
                    encoder.special(name, metadata);
                    add(name, fifo ? EntryKind.FIFO : EntryKind.SOCKET, "", metadata);
                }
                default -> {
                    if (files.isEmpty()) {
                        file(name);
                    } else {
                        LinkTarget target = files.get(random.nextInt(files.size()));
                        long distance = encoder.position() - target.filename();
                        encoder.hardLink(name, target);
                        add(name, EntryKind.HARD_LINK, distance + " " + Vectors.hex(target.path()), null);
                    }
                }
            }
        }

        private void file(byte[] name) throws IOException {
            EntryMetadata metadata = metadata(EntryStat.REGULAR);
            byte[] content = bytes(random.nextInt(4) == 0 ? 5000 : 40);
            encoder.startFile(name, metadata, content.length);
            files.add(encoder.linkTarget());
            encoder.write(content, 0, content.length);
            encoder.endFile();
            add(name, EntryKind.FILE, Integer.toString(content.length), metadata);
            lines.set(lines.size() - 1, lines.get(lines.size() - 1) + " " + Vectors.hex(content));
        }

        private byte[] bytes(int most) {
            byte[] bytes = new byte[random.nextInt(most + 1)];
            random.nextBytes(bytes);
            return bytes;
        }

        private byte[] name() {
            byte[] name = new byte[1 + random.nextInt(random.nextInt(10) == 0 ? 255 : 4)];
            random.nextBytes(name);
            for (int i = 0; i < name.length; i++) {
                if (name[i] == 0 || name[i] == '/') {
                    name[i] = (byte) 0xff;
                }
            }
            if (name[0] == '.') {
                name[0] = 'a';
            }
            return name;
        }

        private EntryMetadata metadata(int type) {
            EntryStat stat = new EntryStat(
                    type | random.nextInt(010000),
                    random.nextLong(),
                    random.nextLong() >>> 32,
                    random.nextLong() >>> 32,
                    new EntryTime(random.nextLong() >> 20, random.nextInt(1_000_000_000)));
            if (random.nextInt(3) > 0) {
                return EntryMetadata.of(stat);
            }
            List<Xattr> xattrs = new ArrayList<>();
            for (int n = random.nextInt(3); n > 0; n--) {
                xattrs.add(new Xattr(name(), bytes(20)));
            }
            Acl acl = random.nextBoolean()
                    ? Acl.NONE
                    : new Acl(
                            List.of(new AclEntry(1, 7), new AclEntry(2, 6)),
                            List.of(),
                            5L,
                            new Acl.Defaults(new Acl.Base(7, 5, 0, Acl.ABSENT), List.of(), List.of()));
            return new EntryMetadata(
                    stat, xattrs, acl, random.nextBoolean() ? bytes(20) : null, random.nextBoolean() ? 7L : null);
        }
    }

    @Property(tries = 150)
    void randomTree_comesBackFromTheFrontAndByLookUp(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        boolean split = random.nextBoolean();
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        Tree tree =
                new Tree(random, split ? PxarEncoder.version2(archive, payload, null) : PxarEncoder.version1(archive));
        tree.root();

        ByteArrayInputStream in = new ByteArrayInputStream(archive.toByteArray());
        List<String> read = Rendering.sequential(
                split
                        ? PxarDecoder.open(in, new ByteArrayInputStream(payload.toByteArray()), PxarLimits.DEFAULT)
                        : PxarDecoder.open(in, PxarLimits.DEFAULT));
        assertThat(read).isEqualTo(tree.lines);

        PxarReader reader = PxarReader.open(
                new ArrayByteSource(archive.toByteArray()),
                split ? new ArrayByteSource(payload.toByteArray()) : null,
                PxarLimits.DEFAULT);
        List<String> found = new ArrayList<>();
        Rendering.random(reader, reader.root(), 0, found);
        List<String> expected = new ArrayList<>(tree.lines.subList(1, tree.lines.size()));
        expected.removeIf(".."::equals);
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Whatever comes out, it is an end or a typed refusal, and it comes soon. */
    private static void readBothWays(byte[] archive, byte[] payload) throws IOException {
        try {
            ByteArrayInputStream in = new ByteArrayInputStream(archive);
            Rendering.sequential(
                    payload == null
                            ? PxarDecoder.open(in, PxarLimits.DEFAULT)
                            : PxarDecoder.open(in, new ByteArrayInputStream(payload), PxarLimits.DEFAULT));
        } catch (ArchiveFormatException e) {
            assertThat(e.reason()).isNotEmpty();
            assertThat(e.offset()).isNotNegative();
        }
        try {
            PxarReader reader = PxarReader.open(
                    new ArrayByteSource(archive),
                    payload == null ? null : new ArrayByteSource(payload),
                    PxarLimits.DEFAULT);
            Rendering.random(reader, reader.root(), 0, new ArrayList<>());
        } catch (ArchiveFormatException e) {
            assertThat(e.reason()).isNotEmpty();
            assertThat(e.offset()).isNotNegative();
        } catch (IOException e) {
            assertThat(e).hasMessageStartingWith("listed but not found");
        }
    }

    @Property(tries = 1500)
    void damagedArchive_isReadOrRefusedWithItsPlace(
            @ForAll long seed, @ForAll @IntRange(max = 5) int which, @ForAll @IntRange(min = 1, max = 4) int flips)
            throws IOException {
        Random random = new Random(seed);
        Golden golden = Golden.load(GOLDEN[which]);
        byte[] archive = golden.archive().clone();
        for (int i = 0; i < flips; i++) {
            int at = random.nextInt(archive.length);
            if (random.nextBoolean()) {
                archive[at] ^= (byte) (1 << random.nextInt(8));
            } else {
                archive[at] = (byte) (random.nextBoolean() ? 0xff : random.nextInt());
            }
        }
        readBothWays(archive, golden.payload());
    }

    /** Sizes are what an attacker plays with: every header's size is replaced. */
    @Property(tries = 400)
    void archiveWithHugeSizes_isReadOrRefused(@ForAll long seed, @ForAll @IntRange(max = 5) int which)
            throws IOException {
        Random random = new Random(seed);
        Golden golden = Golden.load(GOLDEN[which]);
        byte[] archive = golden.archive().clone();
        int at = random.nextInt(archive.length - 8);
        long[] sizes = {-1, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, 1L << 40, 15, 0};
        ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN).putLong(at, sizes[random.nextInt(sizes.length)]);
        readBothWays(archive, golden.payload());
    }

    @Property(tries = 300)
    void cutArchive_isRefused(@ForAll long seed, @ForAll @IntRange(max = 5) int which) throws IOException {
        Golden golden = Golden.load(GOLDEN[which]);
        int length = new Random(seed).nextInt(golden.archive().length);
        byte[] archive = Arrays.copyOf(golden.archive(), length);
        readBothWays(archive, golden.payload());
        ArchiveFormatException refusal = null;
        try {
            PxarReader.open(new ArrayByteSource(archive), null, PxarLimits.DEFAULT);
        } catch (ArchiveFormatException e) {
            refusal = e;
        }
        assertThat(refusal).isNotNull();
        refusal = null;
        try {
            PxarDecoder decoder = PxarDecoder.open(new ByteArrayInputStream(archive), PxarLimits.DEFAULT);
            while (decoder.next() != PxarDecoder.Step.END) {
                assertThat(decoder.depth()).isLessThan(10);
            }
        } catch (ArchiveFormatException e) {
            refusal = e;
        }
        assertThat(refusal).isNotNull();
    }
}
