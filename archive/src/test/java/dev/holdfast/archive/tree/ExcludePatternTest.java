package dev.holdfast.archive.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExcludePatternTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*.tmp       | a.tmp          | true",
                "*.tmp       | d/e/a.tmp      | true",
                "*.tmp       | a.tmp/b        | false",
                "/*.tmp      | a.tmp          | true",
                "/*.tmp      | d/a.tmp        | false",
                "/a/*/c      | a/b/c          | true",
                "/a/*/c      | a/b/b/c        | false",
                "/a/**/c     | a/b/b/c        | true",
                "/a/**/c     | a/c            | true",
                "/a/**       | a/b/c          | true",
                "/a/**       | a              | false",
                "a/b         | x/a/b          | true",
                "a/b         | xa/b           | false",
                "cache       | cache          | true",
                "cache       | mycache        | false",
                "**/cache    | x/y/cache      | true",
                "/**/cache   | cache          | true",
                "f?o         | foo            | true",
                "f?o         | f/o            | false",
                "[a-c]x      | bx             | true",
                "[!a-c]x     | bx             | false",
                "[^a-c]x     | dx             | true",
                "[]x]y       | ]y             | true",
                "a[/]b       | a/b            | false",
                "\\#x        | #x             | true",
                "\\*         | *              | true",
                "\\*         | a              | false",
                "\\!x        | !x             | true",
                "a**b        | axx/yb         | true",
            })
    void pattern_matchesOrNot(String pattern, String path, boolean matches) {
        assertThat(ExcludePattern.parse(pattern.strip()).matches(path.strip().getBytes(UTF_8), 0, false))
                .isEqualTo(matches);
    }

    @Test
    void slashAtTheEnd_meansDirectoriesOnly() {
        ExcludePattern pattern = ExcludePattern.parse("tmp/");
        assertThat(pattern.matches("a/tmp".getBytes(UTF_8), 0, true)).isTrue();
        assertThat(pattern.matches("a/tmp".getBytes(UTF_8), 0, false)).isFalse();
    }

    @Test
    void bytesThatAreNotUtf8_areMatchedAsBytes() {
        byte[] name = {(byte) 0xff, 'x'};
        assertThat(ExcludePattern.parse("?x").matches(name, 0, false)).isTrue();
        assertThat(ExcludePattern.parse("\u00ffx".getBytes(ISO_8859_1)).matches(name, 0, false))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "!", "/", "!/", "[a", "a\\", "a\nb"})
    void whatIsNoPattern_isRefusedWithAReason(String pattern) {
        assertThatThrownBy(() -> ExcludePattern.parse(pattern))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not an exclude pattern");
    }

    @Test
    void craftedPattern_takesNoLongerThanItsLength() {
        ExcludePattern pattern = ExcludePattern.parse("*a".repeat(1000) + "b");
        assertThat(pattern.matches("a".repeat(4000).getBytes(UTF_8), 0, false)).isFalse();
    }

    @Test
    void lastMatchingRule_decides() {
        ExcludeRules rules = ExcludeRules.of(List.of(ExcludePattern.parse("*.log"), ExcludePattern.parse("!keep.log")))
                .with("sub".getBytes(UTF_8), List.of(ExcludePattern.parse("/keep.log")));
        assertThat(rules.excludes("a.log".getBytes(UTF_8), false)).isTrue();
        assertThat(rules.excludes("x/keep.log".getBytes(UTF_8), false)).isFalse();
        assertThat(rules.excludes("sub/keep.log".getBytes(UTF_8), false)).isTrue();
        assertThat(rules.excludes("sub/x/keep.log".getBytes(UTF_8), false)).isFalse();
    }

    @Test
    void excludeFile_skipsCommentsAndReportsWhatIsNoPattern() {
        List<String> ignored = new ArrayList<>();
        List<ExcludePattern> patterns =
                ExcludeFile.parse("# comment\n\n*.o\n[x\n!a.o\n/b/".getBytes(UTF_8), ignored::add);
        assertThat(patterns).extracting(ExcludePattern::toString).containsExactly("*.o", "!a.o", "/b/");
        assertThat(ignored).hasSize(1);
    }
}
