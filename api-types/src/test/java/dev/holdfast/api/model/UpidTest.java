package dev.holdfast.api.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpidTest {

    private static final String EXAMPLE =
            "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:store1\\x3ahost-elsa:root@pam:";

    @Test
    void example_isReadFieldByField() {
        Upid upid = Upid.parse(EXAMPLE);

        assertThat(upid)
                .isEqualTo(new Upid(
                        "pbs1",
                        new Upid.Process(0x2F3, 0x4B2A),
                        7,
                        0x6553F164L,
                        new Upid.Work("backup", "store1:host/elsa", "root@pam")));
        assertThat(upid).hasToString(EXAMPLE);
    }

    @ParameterizedTest
    @CsvSource({
        "store1,store1",
        "store1:host/elsa,store1\\x3ahost-elsa",
        "store1:vm/100/6553F100,store1\\x3avm-100-6553F100",
        "my-store,my\\x2dstore",
        ".hidden,\\x2ehidden",
        "a.b,a.b",
        "a b,a\\x20b",
        "ä,\\xc3\\xa4",
        "back\\slash,back\\x5cslash",
        "u@r,u\\x40r",
        "'',''"
    })
    void workerIds_areEscapedAsUnitNamesAre(String raw, String escaped) {
        assertThat(Upid.escape(raw)).isEqualTo(escaped);
        assertThat(Upid.unescape(escaped)).isEqualTo(raw);
    }

    @Test
    void upperCaseEscapes_areRead() {
        assertThat(Upid.unescape("my\\x2Dstore")).isEqualTo("my-store");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\",
                "\\x",
                "\\x2",
                "a\\x2",
                "\\xzz",
                "\\X2d",
                "\\2d00",
                "\\xc3",
                "\\xff\\xfe",
                "\\xed\\xa0\\x80"
            })
    void wrongEscapes_areRefused(String text) {
        assertThatThrownBy(() -> Upid.unescape(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Provide
    static Arbitrary<String> ids() {
        return Arbitraries.strings().all().filter(s -> s.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff));
    }

    @Property
    void anyTask_comesBackFromItsText(
            @ForAll @LongRange(min = 0, max = 0xffff_ffffL) long pid,
            @ForAll @LongRange(min = 0, max = 0xf_ffff_ffffL) long processStart,
            @ForAll long task,
            @ForAll @LongRange(min = 0, max = 0xffff_ffffL) long start,
            @ForAll("ids") String id) {
        Upid upid = new Upid(
                "n-1", new Upid.Process(pid, processStart), task, start, new Upid.Work("verify", id, "a@pbs!token"));

        assertThat(Upid.parse(upid.toString())).isEqualTo(upid);
    }

    @Test
    void lowerCaseNumbers_areReadAndWrittenInUpperCase() {
        String lower = EXAMPLE.replace("000002F3", "000002f3").replace("6553F164", "6553f164");

        assertThat(Upid.parse(lower)).hasToString(EXAMPLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:x:root@pam",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:x:root@pam:\n",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:x:root@pam::",
                "upid:pbs1:000002F3:00004B2A:00000007:6553F164:backup:x:root@pam:",
                "UPID:-pbs:000002F3:00004B2A:00000007:6553F164:backup:x:root@pam:",
                "UPID:pbs-:000002F3:00004B2A:00000007:6553F164:backup:x:root@pam:",
                "UPID:a.b:000002F3:00004B2A:00000007:6553F164:backup:x:root@pam:",
                "UPID:pbs1:00002F3:00004B2A:00000007:6553F164:backup:x:root@pam:",
                "UPID:pbs1:0000002F3:00004B2A:00000007:6553F164:backup:x:root@pam:",
                "UPID:pbs1:000002F3:0000004B2A:00000007:6553F164:backup:x:root@pam:",
                "UPID:pbs1:000002F3:00004B2A:00000000000000007:6553F164:backup:x:root@pam:",
                "UPID:pbs1:000002F3:00004B2A:00000007:06553F164:backup:x:root@pam:",
                "UPID:pbs1:000002G3:00004B2A:00000007:6553F164:backup:x:root@pam:",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164::x:root@pam:",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:x::",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:a b:root@pam:",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:../x:x:root@pam:",
                "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:backup:\\x2:root@pam:"
            })
    void otherTexts_areRefused(String text) {
        assertThatThrownBy(() -> Upid.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void idThatIsNoUnicode_isRefusedInsteadOfChanged() {
        assertThatThrownBy(() -> new Upid.Work("backup", "a\ud800", "root@pam"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
