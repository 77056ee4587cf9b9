package dev.holdfast.api.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
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

class NamesTest {

    @Provide
    static Arbitrary<String> safeIds() {
        Arbitrary<String> first = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('A', 'Z')
                .withCharRange('0', '9')
                .withChars('_')
                .ofLength(1);
        Arbitrary<String> rest = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('A', 'Z')
                .withCharRange('0', '9')
                .withChars('_', '.', '-')
                .ofMaxLength(20);
        return first.flatMap(a -> rest.map(b -> a + b));
    }

    @Provide
    static Arbitrary<List<String>> components() {
        return safeIds().list().ofMaxSize(7);
    }

    @Property
    void namespace_comesBackFromItsText(@ForAll("components") List<String> components) {
        BackupNamespace namespace = new BackupNamespace(components);

        assertThat(BackupNamespace.parse(namespace.toString())).isEqualTo(namespace);
        assertThat(namespace.depth()).isEqualTo(components.size());
    }

    @Property
    void snapshot_comesBackFromItsText(
            @ForAll BackupType type,
            @ForAll("safeIds") String id,
            @ForAll @LongRange(min = SnapshotId.MIN_TIME, max = SnapshotId.MAX_TIME) long time) {
        SnapshotId snapshot = new SnapshotId(new BackupGroup(type, id), time);

        assertThat(SnapshotId.parse(snapshot.toString())).isEqualTo(snapshot);
        assertThat(BackupGroup.parse(snapshot.group().toString())).isEqualTo(snapshot.group());
    }

    /** A text is taken if and only if it is what the value writes: there is one spelling for each snapshot. */
    @Property
    void anyTimeThatIsTaken_isWrittenTheSame(@ForAll("timeLike") String text) {
        long time;
        try {
            time = SnapshotId.parseTime(text);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining(text);
            return;
        }
        assertThat(SnapshotId.formatTime(time)).isEqualTo(text);
    }

    @Provide
    static Arbitrary<String> timeLike() {
        Arbitrary<Integer> two = Arbitraries.integers().between(0, 62);
        return two.list()
                .ofSize(5)
                .map(n -> String.format(
                        "20%02d-%02d-%02dT%02d:%02d:%02dZ",
                        n.get(0), n.get(1) % 14, n.get(2) % 33, n.get(3) % 26, n.get(4), n.get(0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "a/", "/a", "a//b", ".a", "-a", "a b", "a/..", "..", "ä", "a\n", "a/b/c/d/e/f/g/h"})
    void malformedNamespaces_areRefused(String text) {
        assertThatThrownBy(() -> BackupNamespace.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namespaceLength_isLimitedWhenAComponentIsAdded() {
        BackupNamespace longest = new BackupNamespace(List.of("a".repeat(127), "b".repeat(128)));

        assertThat(longest.toString()).hasSize(256);
        assertThat(new BackupNamespace(List.of("a".repeat(255))).depth()).isEqualTo(1);
        assertThatThrownBy(() -> new BackupNamespace(List.of("a".repeat(256))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BackupNamespace(List.of("a".repeat(127), "b".repeat(129))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256");
        assertThatThrownBy(() -> longest.child("c")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namespaceParents_endAtTheRoot() {
        BackupNamespace deep = BackupNamespace.parse("a/b");

        assertThat(deep.parent()).isEqualTo(BackupNamespace.parse("a"));
        assertThat(deep.parent().parent()).isEqualTo(BackupNamespace.ROOT);
        assertThat(BackupNamespace.ROOT.parent()).isEqualTo(BackupNamespace.ROOT);
        assertThat(BackupNamespace.parse("a").child("b")).isEqualTo(deep);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"vm", "vm/", "/100", "VM/100", "qemu/100", "vm/100/", "vm/.a", "vm/a b", "vm/100\n", "vm//1"})
    void malformedGroups_areRefused(String text) {
        assertThatThrownBy(() -> BackupGroup.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void groups_areListedByTypeThenNumbersThenNames() {
        List<String> sorted = List.of(
                "ct/5",
                "host/7",
                "host/a",
                "vm/007",
                "vm/7",
                "vm/20",
                "vm/100",
                "vm/18446744073709551615",
                "vm/100a",
                "vm/18446744073709551616",
                "vm/A",
                "vm/a");
        assertThat(sorted.stream()
                        .sorted(java.util.Comparator.reverseOrder())
                        .map(BackupGroup::parse)
                        .sorted())
                .map(BackupGroup::toString)
                .containsExactlyElementsOf(sorted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2024-02-30T00:00:00Z",
                "2023-02-29T00:00:00Z",
                "2024-01-01T00:00:00+01:00",
                "2024-01-01T00:00:00z",
                "2024-01-01t00:00:00Z",
                "2024-01-01T24:00:00Z",
                "2024-01-01T00:00:60Z",
                "2024-01-01T00:00:00.0Z",
                "2024-1-1T00:00:00Z",
                "+2024-01-01T00:00:00Z",
                "12024-01-01T00:00:00Z",
                "2024-01-01T00:00:00Z\n",
                "2024-01-01",
                ""
            })
    void snapshotTimesInAnotherForm_areRefused(String text) {
        assertThatThrownBy(() -> SnapshotId.parseTime(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2026-01-31T12:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 253_402_300_800L, 1L << 62})
    void backupTimesOutOfRange_areRefusedWithTheValue(long time) {
        assertThatThrownBy(() -> new SnapshotId(BackupGroup.parse("vm/100"), time))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(time));
    }

    @ParameterizedTest
    @CsvSource({"1,1970-01-01T00:00:01Z", "2147483648,2038-01-19T03:14:08Z", "253402300799,9999-12-31T23:59:59Z"})
    void backupTimesAtTheLimits_areTaken(long time, String text) {
        assertThat(SnapshotId.parse("vm/100/" + text)).isEqualTo(new SnapshotId(BackupGroup.parse("vm/100"), time));
    }

    @Test
    void backupTimeZero_isNotTakenFromADirectoryEither() {
        assertThatThrownBy(() -> SnapshotId.parse("vm/100/1970-01-01T00:00:00Z"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "drive0.img,drive0.img.fidx,FIXED_INDEX",
        "root.pxar,root.pxar.didx,DYNAMIC_INDEX",
        "root.mpxar,root.mpxar.didx,DYNAMIC_INDEX",
        "root.ppxar,root.ppxar.didx,DYNAMIC_INDEX",
        "catalog.pcat1,catalog.pcat1.didx,DYNAMIC_INDEX",
        "qemu-server.conf,qemu-server.conf.blob,BLOB",
        "index.json,index.json.blob,BLOB",
        "rsa-encrypted.key,rsa-encrypted.key.blob,BLOB",
        "client.log,client.log.blob,BLOB",
        "a.img.fidx,a.img.fidx,FIXED_INDEX",
        "a.fidx.didx,a.fidx.didx,DYNAMIC_INDEX",
        "x.blob,x.blob,BLOB"
    })
    void clientNames_getTheExtensionOfTheirKind(String client, String server, ArchiveName.Kind kind) {
        ArchiveName name = ArchiveName.ofClientName(client);

        assertThat(name.text()).isEqualTo(server);
        assertThat(name.kind()).isEqualTo(kind);
        assertThat(name.isIndex()).isEqualTo(kind != ArchiveName.Kind.BLOB);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "img", "conf", ".img", "drive0", "drive0.", "drive0.IMG", "a/b.img", "a b.img", "..img"})
    void clientNamesWithoutAKnownExtension_areRefused(String name) {
        assertThatThrownBy(() -> ArchiveName.ofClientName(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"fidx", ".fidx", "a.tmp_fidx", "a.FIDX", "a.fidx.tmp_Ab12Cd", "a/b.fidx", "a.fidx\n", "a.blob "})
    void otherFileNames_areNoArchives(String name) {
        assertThat(ArchiveName.isValid(name)).isFalse();
        assertThatThrownBy(() -> new ArchiveName(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void words_areTakenInTheirOneSpelling() {
        assertThat(Stream.of(CryptMode.values()).map(CryptMode::toString))
                .containsExactly("none", "encrypt", "sign-only");
        assertThat(Stream.of(BackupType.values()).map(BackupType::toString)).containsExactly("ct", "host", "vm");
        for (CryptMode mode : CryptMode.values()) {
            assertThat(CryptMode.parse(mode.toString())).isEqualTo(mode);
        }
        assertThatThrownBy(() -> CryptMode.parse("Encrypt")).hasMessageContaining("'Encrypt'");
        assertThatThrownBy(() -> BackupType.parse("VM")).hasMessageContaining("'VM'");
    }
}
