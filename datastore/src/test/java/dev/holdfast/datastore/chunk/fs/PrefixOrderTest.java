package dev.holdfast.datastore.chunk.fs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.datastore.chunk.TouchBatch;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrefixOrderTest {

    private record Prefixes(int[] values) implements TouchBatch {
        @Override
        public int size() {
            return values.length;
        }

        @Override
        public int prefix(int position) {
            return values[position];
        }

        @Override
        public void copyDigest(int position, byte[] target, int offset) {
            throw new AssertionError("a sort by prefix needs no digests");
        }
    }

    @Test
    void positions_areGroupedByPrefix_andKeepTheirOrder() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        PrefixOrder order = new PrefixOrder();
        for (int size : new int[] {5000, 0, 1, 70_000, 10}) {
            int[] values = random.ints(size, 0, size % 3 == 0 ? 4 : 65536).toArray();
            if (size > 1) {
                values[0] = 65535;
                values[size - 1] = 0;
            }
            order.sort(new Prefixes(values));
            boolean[] seen = new boolean[size];
            int index = 0;
            for (int prefix = 0; prefix < 65536; prefix++) {
                assertThat(order.from(prefix)).as("seed %d", seed).isEqualTo(index);
                int last = -1;
                for (; index < order.to(prefix); index++) {
                    int position = order.position(index);
                    assertThat(values[position]).as("seed %d", seed).isEqualTo(prefix);
                    assertThat(position).as("seed %d", seed).isGreaterThan(last);
                    last = position;
                    seen[position] = true;
                }
            }
            assertThat(index).isEqualTo(size);
            assertThat(seen).doesNotContain(false);
        }
    }

    @Test
    void split_coversEveryPrefixOnce_inAboutEqualParts() {
        long seed = new Random().nextLong();
        PrefixOrder order = new PrefixOrder();
        for (int size : new int[] {0, 1, 7, 5000, 100_000}) {
            order.sort(new Prefixes(
                    new Random(seed).ints(size, 0, size % 7 == 0 ? 3 : 65536).toArray()));
            for (int ranges : new int[] {1, 2, 16, 256}) {
                int[] cuts = order.split(ranges);
                assertThat(cuts).hasSize(ranges + 1).isSorted().startsWith(0).endsWith(65536);
                for (int i = 0; i < ranges; i++) {
                    // A prefix is never cut, so a range may be too long by what its last prefix holds.
                    int last = cuts[i + 1] == 0 ? 0 : order.to(cuts[i + 1] - 1) - order.from(cuts[i + 1] - 1);
                    int length = order.from(cuts[i + 1] == 65536 ? 65535 : cuts[i + 1])
                            + (cuts[i + 1] == 65536 ? order.to(65535) - order.from(65535) : 0)
                            - order.from(cuts[i]);
                    assertThat(length)
                            .as("seed %d, %d in %d, range %d", seed, size, ranges, i)
                            .isLessThanOrEqualTo(size / ranges + 1 + last);
                }
            }
        }
    }
}
