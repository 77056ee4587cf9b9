package dev.holdfast.engine.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpidTest {

    @ParameterizedTest
    @CsvSource({
        "store1,store1",
        "store1:host/elsa,store1\\x3ahost-elsa",
        "store1:vm/100/6553F100,store1\\x3avm-100-6553F100",
        "my-store,my\\x2dstore",
        ".hidden,\\x2ehidden",
        "a b,a\\x20b",
        "'',''",
    })
    void id_isEscapedLikeUnitNames(String raw, String escaped) {
        assertThat(Upid.escape(raw)).isEqualTo(escaped);
        assertThat(Upid.unescape(escaped)).isEqualTo(raw);
    }

    @Test
    void text_isThatOfTheExample() {
        Upid upid = new Upid("pbs1", 0x2F3, 0x4B2A, 7, 0x6553F164, "backup", "store1:host/elsa", "root@pam");

        assertThat(upid)
                .hasToString("UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:store1\\x3ahost-elsa:root@pam:");
        assertThat(Upid.parse(upid.toString())).isEqualTo(upid);
        assertThat(Upid.parse(upid.toString().replace("4B2A", "4b2a"))).isEqualTo(upid);
        assertThat(upid.directoryName()).isEqualTo("2A");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "UPID:pbs1:2F3:00004B2A:00000007:6553F164:backup::root@pam:",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup::root@pam",
                "UPID:-x:000002F3:00004B2A:00000007:6553F164:backup::root@pam:",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:a\\x3:root@pam:",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:a\\xzz:root@pam:",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:\\xff:root@pam:",
            })
    void malformedText_isRefused(String text) {
        assertThatThrownBy(() -> Upid.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Property
    void anyId_survivesEscaping(@ForAll String raw) {
        // Halves of surrogate pairs have no UTF-8 form.
        String id = new String(raw.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);

        assertThat(Upid.unescape(Upid.escape(id))).isEqualTo(id);
        assertThat(Upid.escape(id)).doesNotContain(":", " ", "/");
    }
}
