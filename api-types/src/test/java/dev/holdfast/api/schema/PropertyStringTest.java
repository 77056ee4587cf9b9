package dev.holdfast.api.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PropertyStringTest {

    @Provide
    static Arbitrary<Map<String, String>> values() {
        return Arbitraries.maps(
                        Arbitraries.strings()
                                .withCharRange('a', 'z')
                                .withChars('-')
                                .ofMinLength(1)
                                .ofMaxLength(8),
                        Arbitraries.strings().withChars(" ab,=\"\\\tä%").ofMaxLength(8))
                .ofMaxSize(5);
    }

    @Property
    void anyValues_comeBackInTheirOrder(@ForAll("values") Map<String, String> values) {
        Map<String, String> parsed = PropertyString.parse(PropertyString.format(values), "");

        assertThat(parsed).containsExactlyEntriesOf(values);
    }

    @Property
    void anyValues_comeBackWithADefaultKey(
            @ForAll("values") Map<String, String> values, @ForAll("values") Map<String, String> other) {
        Map<String, String> all = new LinkedHashMap<>(values);
        all.put("type", other.getOrDefault("a", "x=\""));

        assertThat(PropertyString.parse(PropertyString.format(all, "type"), "type"))
                .containsExactlyEntriesOf(all);
    }

    @Test
    void defaultKey_standsWithoutItsName() {
        assertThat(PropertyString.parse("s3,client=c1,bucket=b", "type"))
                .containsExactlyEntriesOf(mapOf("type", "s3", "client", "c1", "bucket", "b"));
        assertThat(PropertyString.format(mapOf("type", "s3", "bucket", "b"), "type"))
                .isEqualTo("s3,bucket=b");
        assertThat(PropertyString.format(mapOf("type", "s3"))).isEqualTo("type=s3");
    }

    @Test
    void quotes_keepCommasAndBlanks() {
        assertThat(PropertyString.parse("a=\"x, \\\"y\\\" \", b = c ", ""))
                .containsExactlyEntriesOf(mapOf("a", "x, \"y\" ", "b", "c"));
    }

    @Test
    void backslashesAndQuotesInsidePlainValues_areThemselves() {
        assertThat(PropertyString.parse("a=C:\\x,b=5\"", "")).containsExactlyEntriesOf(mapOf("a", "C:\\x", "b", "5\""));
    }

    @Test
    void emptyTextAndEmptyValue_areTaken() {
        assertThat(PropertyString.parse("", "")).isEmpty();
        assertThat(PropertyString.parse("  ", "type")).isEmpty();
        assertThat(PropertyString.parse("a=", "")).containsEntry("a", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",",
                "a=1,",
                ",a=1",
                "a=1,,b=2",
                "=1",
                "a=1,a=2",
                "x,y",
                "x,type=y",
                "a=\"1",
                "a=\"1\"2",
                "a=1, ,b=2"
            })
    void malformedTexts_areRefusedEvenWithADefaultKey(String text) {
        assertThatThrownBy(() -> PropertyString.parse(text, "type"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    @Test
    void partWithoutKey_isRefusedIfThereIsNoDefaultKey() {
        assertThatThrownBy(() -> PropertyString.parse("a=1,b", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("KEY=VALUE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " a", "a=b", "a,b", "\"a"})
    void keysThatWouldNotComeBack_areNotWritten(String key) {
        assertThatThrownBy(() -> PropertyString.format(Map.of(key, "x"))).isInstanceOf(IllegalArgumentException.class);
    }

    private static Map<String, String> mapOf(String... entries) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put(entries[i], entries[i + 1]);
        }
        return map;
    }
}
