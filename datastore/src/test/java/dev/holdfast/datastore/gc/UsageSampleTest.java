package dev.holdfast.datastore.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class UsageSampleTest {

    @Test
    void smallStore_isLookedAtWhole() {
        UsageSample sample = UsageSample.of(UsageSample.EXACT_UP_TO, new Random(1));
        assertThat(sample.includes(0)).isTrue();
        assertThat(sample.includes(65535)).isTrue();
        assertThat(sample.estimate()).isEmpty();
    }

    @Test
    void largeStore_isSampledInAFewDirectories() {
        UsageSample sample = UsageSample.of(72_000_000, new Random(1));
        int directories = 0;
        for (int prefix = 0; prefix < 65536; prefix++) {
            directories += sample.includes(prefix) ? 1 : 0;
        }
        assertThat(directories).isEqualTo(4);
    }

    /** Sizes as they come: most chunks compress, some do not, a few are tiny. */
    @Test
    void trueSum_liesWithinTheError_inAboutNineteenOfTwentyCases() {
        int tries = 300;
        int inside = 0;
        double widest = 0;
        for (int seed = 0; seed < tries; seed++) {
            Random random = new Random(seed);
            int chunks = 100_000;
            UsageSample sample = UsageSample.of(chunks, random);
            long truth = 0;
            for (int i = 0; i < chunks; i++) {
                int prefix = random.nextInt(65536);
                long size = random.nextInt(10) < 7
                        ? (long) (Math.exp(random.nextGaussian()) * 1_000_000)
                        : random.nextInt(10) < 8 ? 4 * 1024 * 1024 : 100;
                if (sample.includes(prefix)) {
                    sample.known(size);
                } else {
                    sample.unknown();
                    truth += size;
                }
            }
            long error = sample.estimate().orElseThrow().errorBytes();
            inside += Math.abs(sample.unknownBytes() - truth) <= error ? 1 : 0;
            widest = Math.max(widest, (double) error / truth);
        }
        assertThat(inside).isBetween(tries * 91 / 100, tries * 99 / 100);
        assertThat(widest).isLessThan(0.05);
    }
}
