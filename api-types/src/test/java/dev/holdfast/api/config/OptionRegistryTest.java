package dev.holdfast.api.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.schema.OptionSchema;
import dev.holdfast.api.schema.OptionSchema.ChoiceOption;
import dev.holdfast.api.schema.OptionSchema.IntegerOption;
import dev.holdfast.api.schema.OptionSchema.TextOption;
import dev.holdfast.api.schema.SchemaViolationException;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pins every option: a changed name, bound or default is a change that users notice. */
class OptionRegistryTest {

    @Test
    void tuningOptions_haveTheseNamesBoundsAndDefaults() {
        assertThat(DatastoreTuning.options().stream().map(OptionRegistryTest::line))
                .containsExactly(
                        "chunk-order: one of inode, none; default inode",
                        "sync-level: one of none, file, filesystem; default filesystem",
                        "gc-atime-safety-check: true or false; default true",
                        "gc-atime-cutoff: a whole number from 1 to 2880 (minutes); default 1445",
                        "gc-cache-capacity: a whole number from 0 to 8388608 (digests); default 1048576",
                        "gc-prefetch-batch-size: a whole number from 1024 to 16777216 (digests); default unset",
                        "gc-marking: one of access-time, mark-set; default access-time",
                        "gc-grace: a whole number from 0 to 525600 (minutes); default 0",
                        "gc-touch-workers: a whole number from 1 to 32 (threads); default 8",
                        "default-verification-workers: a whole number from 1 to 32 (threads); default 4",
                        "default-verification-readers: a whole number from 1 to 32 (threads); default 1");
    }

    @Test
    void datastoreOptions_haveTheseNamesBoundsAndDefaults() {
        assertThat(DatastoreConfig.options().stream().map(OptionRegistryTest::line))
                .containsExactly(
                        "path: an absolute path of 2 to 4096 characters, not '/', without control characters and without"
                                + " '.' or '..' as a component; default unset",
                        "comment: one line of at most 4096 characters, without control characters; default unset",
                        "gc-schedule: a calendar event of at most 128 characters, for example daily or 'sat 03:00';"
                                + " default unset",
                        "maintenance-mode: one of read-only, offline, delete; default unset");
        assertThat(BackendConfig.options().stream().map(OptionRegistryTest::line))
                .containsExactly(
                        "type: one of filesystem, s3; default filesystem",
                        "client: a name of 1 to 64 letters, digits, '_', '.' or '-', and begin with none of the last two;"
                                + " default unset",
                        "bucket: a bucket name: 3 to 63 lower-case letters, digits, '.' or '-', with a letter or digit at"
                                + " both ends; default unset",
                        "max-cache-size: a size from 1 B to 1 PiB, for example 64 GiB; default unset");
        assertThat(KeepOptions.options().stream().map(OptionRegistryTest::line))
                .containsExactly(
                        "keep-last: a whole number from 0 to 2147483647 (snapshots); default unset",
                        "keep-hourly: a whole number from 0 to 2147483647 (hours); default unset",
                        "keep-daily: a whole number from 0 to 2147483647 (days); default unset",
                        "keep-weekly: a whole number from 0 to 2147483647 (weeks); default unset",
                        "keep-monthly: a whole number from 0 to 2147483647 (months); default unset",
                        "keep-yearly: a whole number from 0 to 2147483647 (years); default unset");
    }

    private static String line(OptionSchema option) {
        return option.name() + ": " + option.bounds() + "; default "
                + option.defaultText().orElse("unset");
    }

    static Stream<OptionSchema> all() {
        return Stream.of(
                        DatastoreConfig.options(),
                        BackendConfig.options(),
                        DatastoreTuning.options(),
                        KeepOptions.options())
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyOption_hasAReasonAndAValidDefault(OptionSchema option) {
        assertThat(option.reason()).hasSizeGreaterThan(30).endsWith(".");
        option.defaultText().ifPresent(text -> assertThat(option.check(text)).isEqualTo(text));
        assertThat(option.suggestions())
                .allSatisfy(text -> assertThat(option.check(text)).isEqualTo(text));
    }

    @ParameterizedTest
    @MethodSource("all")
    void valueOutOfBounds_isRefusedWithNameBoundsAndValue(OptionSchema option) {
        assertThatThrownBy(() -> option.check("\u0001?"))
                .isInstanceOfSatisfying(
                        SchemaViolationException.class,
                        e -> assertThat(e.option()).isEqualTo(option.name()))
                .hasMessage(option.name() + " must be " + option.bounds() + ", not '\u0001?'");
    }

    @Property
    void wholeNumber_isTakenIfAndOnlyIfItIsInside(@ForAll long number) {
        all().filter(IntegerOption.class::isInstance)
                .map(IntegerOption.class::cast)
                .forEach(option -> {
                    String text = Long.toString(number);
                    if (number >= option.min() && number <= option.max()) {
                        assertThat(option.check(text)).isEqualTo(text);
                    } else {
                        assertThatThrownBy(() -> option.check(text)).hasMessageContaining(text);
                    }
                });
    }

    @Test
    void bounds_areTakenAndTheirNeighboursAreNot() {
        for (OptionSchema any : all().toList()) {
            if (any instanceof IntegerOption option) {
                assertThat(option.check(Long.toString(option.min()))).isEqualTo(Long.toString(option.min()));
                assertThat(option.check(Long.toString(option.max()))).isEqualTo(Long.toString(option.max()));
                for (long outside : new long[] {option.min() - 1, option.max() + 1}) {
                    assertThatThrownBy(() -> option.check(Long.toString(outside)))
                            .isInstanceOf(SchemaViolationException.class);
                }
                for (String text :
                        List.of("", " 1", "1 ", "1.0", "1e3", "0x10", "1_0", "\u0661", "9".repeat(19), "-")) {
                    assertThatThrownBy(() -> option.check(text)).isInstanceOf(SchemaViolationException.class);
                }
            }
        }
    }

    @Test
    void choices_areTakenInTheirOneSpelling() {
        for (OptionSchema any : all().toList()) {
            if (any instanceof ChoiceOption option) {
                for (String choice : option.choices()) {
                    assertThat(option.check(choice)).isEqualTo(choice);
                    assertThatThrownBy(() -> option.check(choice + "\n")).isInstanceOf(SchemaViolationException.class);
                    assertThatThrownBy(() -> option.check(choice.toUpperCase(java.util.Locale.ROOT)))
                            .isInstanceOf(SchemaViolationException.class);
                }
            }
        }
    }

    @Test
    void enums_agreeWithTheirOptions() {
        assertThat(choices(DatastoreTuning.options(), "chunk-order"))
                .containsExactlyElementsOf(words(ChunkOrder.values()));
        assertThat(choices(DatastoreTuning.options(), "sync-level"))
                .containsExactlyElementsOf(words(SyncLevel.values()));
        assertThat(choices(DatastoreConfig.options(), "maintenance-mode"))
                .containsExactlyElementsOf(words(MaintenanceMode.values()));
        assertThat(choices(BackendConfig.options(), "type"))
                .containsExactlyElementsOf(words(BackendConfig.Type.values()));
        for (MaintenanceMode mode : MaintenanceMode.values()) {
            assertThat(MaintenanceMode.parse(mode.toString())).isEqualTo(mode);
        }
        for (ChunkOrder order : ChunkOrder.values()) {
            assertThat(ChunkOrder.parse(order.toString())).isEqualTo(order);
        }
        for (SyncLevel level : SyncLevel.values()) {
            assertThat(SyncLevel.parse(level.toString())).isEqualTo(level);
        }
    }

    private static List<String> words(Object[] values) {
        return Stream.of(values).map(Object::toString).toList();
    }

    private static List<String> choices(List<OptionSchema> options, String name) {
        return options.stream()
                .filter(option -> option.name().equals(name))
                .map(option -> ((ChoiceOption) option).choices())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void path_isAbsoluteAndUnambiguous() {
        OptionSchema path = DatastoreConfig.options().get(0);
        assertThat(path).isInstanceOf(TextOption.class);
        for (String good : List.of(
                "/a", "/mnt/backup/store 1", "//a//b/", "/a/.hidden", "/a/..b", "/...", "/ä", "/" + "a".repeat(4095))) {
            assertThat(path.check(good)).isEqualTo(good);
        }
        for (String bad : List.of(
                "",
                "/",
                "//",
                "a",
                "a/b",
                "/..",
                "/.",
                "/a/../b",
                "/a/.",
                "/./a",
                "/a\nb",
                "/a\n",
                "/a\u0000",
                "/" + "a".repeat(4096))) {
            assertThatThrownBy(() -> path.check(bad)).isInstanceOf(SchemaViolationException.class);
        }
    }

    @Test
    void schedule_takesCalendarEvents() {
        OptionSchema schedule = DatastoreConfig.options().get(2);
        for (String good : List.of(
                "daily", "sat 03:00", "mon..fri 2:30", "*:0/15", "sat *-1..7 04:00", "hourly", "2026-*-01 00:00:00")) {
            assertThat(schedule.check(good)).isEqualTo(good);
        }
        for (String bad : List.of("", " daily", "daily\n", "0 3 * * * root; x", "a".repeat(129))) {
            assertThatThrownBy(() -> schedule.check(bad)).isInstanceOf(SchemaViolationException.class);
        }
    }
}
