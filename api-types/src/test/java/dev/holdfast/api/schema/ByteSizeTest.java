package dev.holdfast.api.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

    @Property
    void anySize_comesBackFromItsText(@ForAll @LongRange(min = 0) long bytes) {
        assertThat(ByteSize.parse(ByteSize.format(bytes))).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "4096,4096",
        "1 B,1",
        "1K,1000",
        "1 KB,1000",
        "1Ki,1024",
        "1 KiB,1024",
        "1.5 MiB,1572864",
        "0.1 KiB,102",
        "64 GiB,68719476736",
        "1 TB,1000000000000",
        "2 PiB,2251799813685248",
        "9223372036854775807,9223372036854775807"
    })
    void texts_areRead(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"0,0 B", "1023,1023 B", "1024,1 KiB", "1536,1536 B", "1048576,1 MiB"})
    void sizes_areWrittenExactly(long bytes, String text) {
        assertThat(ByteSize.format(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "B",
                "-1",
                "1iB",
                "1 iB",
                "1  GiB",
                " 1",
                "1 ",
                "1 gib",
                "1,5 GiB",
                "1.",
                ".5 GiB",
                "1e3",
                "1 EiB",
                "9223372036854775808",
                "9000 PiB",
                "1\n"
            })
    void otherTexts_areRefused(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
