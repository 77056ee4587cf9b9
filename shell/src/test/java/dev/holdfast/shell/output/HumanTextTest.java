package dev.holdfast.shell.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanTextTest {

    @ParameterizedTest
    @CsvSource({
        "0,0 B",
        "1023,1023 B",
        "1024,1 KiB",
        "1495269,1.426 MiB",
        "4194304,4 MiB",
        "1536,1.5 KiB",
        "9223372036854775807,8 EiB",
    })
    void bytes_areBinary(long bytes, String text) {
        assertThat(HumanText.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0,0 ms", "999,999 ms", "1000,1.0 s", "59900,59.9 s", "61000,1 min 01 s", "7380000,2 h 03 min"})
    void duration_getsCoarserAsItGrows(long millis, String text) {
        assertThat(HumanText.duration(millis)).isEqualTo(text);
    }

    @Test
    void table_alignsColumnsAndHidesControlCharacters() {
        TextTable table = new TextTable("name", ">size").row("a\nb", 5).row("longer", 12345);

        assertThat(table.headerLine()).isEqualTo("name     size");
        assertThat(table.lines()).containsExactly("a?b         5", "longer  12345");
    }
}
