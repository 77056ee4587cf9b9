package dev.holdfast.datastore.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GraceBookTest {

    private static final long START = 1_700_000_000L;

    @Test
    void manyChunks_areKeptApart_inLittleMemory() {
        int count = 300_000;
        GraceBook book = new GraceBook(START, 3600);
        byte[] digest = new byte[32];
        Random random = new Random(7);
        for (int i = 0; i < count; i++) {
            random.nextBytes(digest);
            book.remember(digest, START - i % 5000);
        }
        assertThat(book.currentSize()).isZero();
        random.setSeed(7);
        for (int i = 0; i < count; i++) {
            random.nextBytes(digest);
            if (i % 3 == 0) {
                assertThat(book.unreferenced(digest, 0)).isEqualTo(START - i % 5000 + 3600);
            }
        }
        assertThat(book.currentSize()).isEqualTo(count / 3);
        assertThat(book.memoryBytes()).isLessThanOrEqualTo(60L * count);
    }

    @Test
    void onlyWhatIsUnreferencedNowAndStays_isGivenOut() {
        GraceBook book = new GraceBook(START, 60);
        byte[] a = digest(1);
        byte[] b = digest(2);
        byte[] c = digest(3);
        byte[] d = digest(4);
        book.remember(a, START - 10);
        book.remember(b, START - 20);
        book.remember(d, START - 90);
        assertThat(book.unreferenced(b, START - 500)).isEqualTo(START + 40);
        assertThat(book.unreferenced(c, START - 500)).isEqualTo(START + 60);
        assertThat(book.unreferenced(d, START - 500)).isEqualTo(START - 30);
        book.gone(d);
        Map<String, Long> given = new HashMap<>();
        book.forEachCurrent((digest, first) -> given.put(HexFormat.of().formatHex(digest), first));
        assertThat(given)
                .containsOnly(
                        Map.entry(HexFormat.of().formatHex(b), START - 20),
                        Map.entry(HexFormat.of().formatHex(c), START));
    }

    private static byte[] digest(int last) {
        byte[] digest = new byte[32];
        digest[31] = (byte) last;
        return digest;
    }
}
