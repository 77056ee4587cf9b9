package dev.holdfast.datastore.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MarkSetTest {

    private static final int MILLION = 1_000_000;

    @Test
    void everyAddedDigest_isFound_inAtMostEightBytesEach() {
        MarkSet set = new MarkSet(new Random(1));
        byte[] digests = digests(2, MILLION);
        double worst = 0;
        for (int i = 0; i < MILLION; i++) {
            assertThat(set.add(digests, 32 * i)).isTrue();
            if (i >= MILLION / 2 && i % 10_000 == 0) {
                worst = Math.max(worst, (double) set.bytes() / (i + 1));
            }
        }
        for (int i = 0; i < MILLION; i++) {
            assertThat(set.contains(digests, 32 * i)).isTrue();
            assertThat(set.add(digests, 32 * i)).isFalse();
        }
        assertThat(set.size()).isEqualTo(MILLION);
        assertThat(worst).isLessThanOrEqualTo(8.0);
        assertThat((double) set.bytes() / MILLION).isLessThanOrEqualTo(8.0);
    }

    @Test
    void digestsThatWereNotAdded_areNotFound() {
        MarkSet set = new MarkSet(new Random(3));
        byte[] members = digests(4, MILLION);
        for (int i = 0; i < MILLION; i++) {
            set.add(members, 32 * i);
        }
        byte[] others = digests(5, MILLION);
        long falselyUsed = 0;
        for (int i = 0; i < MILLION; i++) {
            if (set.contains(others, 32 * i)) {
                falselyUsed++;
            }
        }
        // One expected in 4.5 billion look-ups at this size; a second one here would mean a broken hash.
        assertThat(falselyUsed).isLessThanOrEqualTo(1);
    }

    @Test
    void digestsThatDifferInOneBit_areToldApart() {
        MarkSet set = new MarkSet(new Random(6));
        byte[] digest = digests(7, 1);
        set.add(digest, 0);
        for (int bit = 0; bit < 256; bit++) {
            digest[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThat(set.contains(digest, 0)).as("bit %d", bit).isFalse();
            digest[bit / 8] ^= (byte) (1 << (bit % 8));
        }
    }

    @Test
    void entriesThatWereNeverSeen_areCounted_acrossGrowth() {
        MarkSet set = new MarkSet(new Random(8));
        byte[] digests = digests(9, 200_000);
        for (int i = 0; i < 100_000; i++) {
            set.add(digests, 32 * i);
        }
        for (int i = 0; i < 100_000; i += 2) {
            assertThat(set.see(digests, 32 * i)).isTrue();
        }
        for (int i = 100_000; i < 200_000; i++) {
            set.add(digests, 32 * i);
        }
        assertThat(set.unseen()).isEqualTo(150_000);
        assertThat(set.isUnseen(digests, 0)).isFalse();
        assertThat(set.isUnseen(digests, 32)).isTrue();
        assertThat(set.isUnseen(digests(10, 1), 0)).isFalse();
        assertThat(set.see(digests(10, 1), 0)).isFalse();
    }

    private static byte[] digests(long seed, int count) {
        byte[] bytes = new byte[32 * count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
