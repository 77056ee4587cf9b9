package dev.holdfast.api.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkDigestTest {

    private static final String HELLO = "a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447";

    @Property
    void bytes_comeBackFromTheText(@ForAll @Size(32) byte[] bytes) {
        ChunkDigest digest = ChunkDigest.of(bytes);

        assertThat(ChunkDigest.parse(digest.toString())).isEqualTo(digest);
        assertThat(digest.bytes()).isEqualTo(bytes);
        assertThat(ChunkDigest.parse(digest.toString().toUpperCase(Locale.ROOT)))
                .hasToString(digest.toString());
    }

    @Property
    void order_isThatOfTheText(@ForAll @Size(32) byte[] a, @ForAll @Size(32) byte[] b) {
        int byText = ChunkDigest.of(a).toString().compareTo(ChunkDigest.of(b).toString());

        assertThat(Integer.signum(ChunkDigest.of(a).compareTo(ChunkDigest.of(b))))
                .isEqualTo(Integer.signum(byText));
    }

    @Test
    void prefix_isTheFirstFourHexDigits() {
        assertThat(ChunkDigest.parse(HELLO).prefix()).isEqualTo(0xa948);
        assertThat(ChunkDigest.parse("f".repeat(64)).prefix()).isEqualTo(65535);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a9", "g000000000000000000000000000000000000000000000000000000000000000"})
    void otherTexts_areRefused(String text) {
        assertThatThrownBy(() -> ChunkDigest.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("64 hex digits");
    }

    @Test
    void textThatIsOneTooLongOrShort_isRefused() {
        assertThatThrownBy(() -> ChunkDigest.parse(HELLO + "0")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ChunkDigest.parse(HELLO.substring(1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ChunkDigest.parse(HELLO + "\n")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sourceThatEndsInsideTheDigest_isRefused() {
        assertThatThrownBy(() -> ChunkDigest.of(new byte[40], 9)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> ChunkDigest.of(new byte[31])).isInstanceOf(IllegalArgumentException.class);
        assertThat(ChunkDigest.of(new byte[40], 8)).hasToString("0".repeat(64));
    }

    @Test
    void laterChangesOfTheSource_doNotReachTheDigest() {
        byte[] source = new byte[32];
        ChunkDigest digest = ChunkDigest.of(source);
        source[0] = 1;
        digest.bytes()[1] = 1;

        assertThat(digest).hasToString("0".repeat(64));
    }
}
