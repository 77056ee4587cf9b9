package dev.holdfast.datastore.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.model.ChunkDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DigestStatesTest {

    @Test
    void manyDigests_areFoundWithTheirLastState() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        DigestStates states = new DigestStates();
        Map<ChunkDigest, Byte> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            ChunkDigest digest = digest(random, 15_000);
            byte state = (byte) (1 + random.nextInt(3));
            states.put(digest, state);
            expected.put(digest, state);
        }
        assertThat(states.size()).as("seed %d", seed).isEqualTo(expected.size());
        expected.forEach((digest, state) ->
                assertThat(states.get(digest)).as("seed %d", seed).isEqualTo(state));
        for (int i = 0; i < 1_000; i++) {
            assertThat(states.get(digest(random, -i - 1))).as("seed %d", seed).isZero();
        }
    }

    @Test
    void digestOfZeros_isADigestLikeOthers() {
        ChunkDigest zeros = ChunkDigest.of(new byte[32]);
        DigestStates states = new DigestStates();
        assertThat(states.get(zeros)).isZero();
        states.put(zeros, (byte) 2);
        assertThat(states.get(zeros)).isEqualTo((byte) 2);
        assertThat(states.size()).isOne();
    }

    /** Digests that differ in their last bytes only, so that slots collide if only the first are looked at. */
    private static ChunkDigest digest(Random random, int bound) {
        byte[] bytes = new byte[32];
        int number = bound < 0 ? bound : random.nextInt(bound);
        for (int i = 0; i < 4; i++) {
            bytes[28 + i] = (byte) (number >>> (8 * i));
        }
        return ChunkDigest.of(bytes);
    }
}
