package dev.holdfast.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.config.BackendConfig;
import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.api.config.DatastoreConfig.Extras;
import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.config.MaintenanceMode;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.LockHandle;
import dev.holdfast.posix.PosixFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {

    private static final String EXAMPLE = """
            # house backups
            datastores:
              store1:
                path: /mnt/backup/store1
                comment: nightly VMs   # and more
                backend: {type: filesystem}
                tuning: {gc-prefetch-batch-size: 1048576, later-option: [1, 2], chunk-order: inode}
                gc-schedule: "daily"
                keep: {last: 3, daily: 7}
              bucket1:
                path: /var/cache/bucket1
                backend: {type: s3, client: c1, bucket: backups, max-cache-size: 64 GiB}
                maintenance-mode: read-only
                colour: red
            s3-clients:
              c1: {endpoint: "http://127.0.0.1:9000"}
            server: {listen: "127.0.0.1:8007"}
            lock-directory: /run/holdfast
            """;

    private final PosixFiles files = JnrPosixFiles.load();

    @TempDir
    Path directory;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = directory.resolve("holdfast.yaml");
    }

    private ConfigFile read(String content) throws IOException {
        Files.writeString(path, content);
        return ConfigFile.read(files, path);
    }

    // --- where it is
    // --------------------------------------------------------------------------------------------------

    @Test
    void option_goesBeforeVariableBeforeHome() throws IOException {
        Map<String, String> environment = Map.of("HOLDFAST_CONFIG", "/v/h.yaml", "HOME", "/home/u");

        assertThat(ConfigFile.locate(files, Path.of("/o/h.yaml"), environment)).hasToString("/o/h.yaml");
        assertThat(ConfigFile.locate(files, Path.of("h.yaml"), environment)).isAbsolute();
        assertThat(ConfigFile.locate(files, null, environment)).hasToString("/v/h.yaml");
        if (!Files.exists(Path.of("/etc/holdfast/holdfast.yaml"))) {
            assertThat(ConfigFile.locate(files, null, Map.of("HOLDFAST_CONFIG", "", "HOME", "/home/u")))
                    .hasToString("/home/u/.config/holdfast/holdfast.yaml");
            assertThat(ConfigFile.locate(files, null, Map.of("XDG_CONFIG_HOME", "/x", "HOME", "/home/u")))
                    .hasToString("/x/holdfast/holdfast.yaml");
            assertThat(ConfigFile.locate(files, null, Map.of("XDG_CONFIG_HOME", "relative", "HOME", "/home/u")))
                    .hasToString("/home/u/.config/holdfast/holdfast.yaml");
        }
    }

    // --- reading
    // ------------------------------------------------------------------------------------------------------

    @Test
    void example_isReadMemberByMember() throws IOException {
        ConfigFile file = read(EXAMPLE);
        EngineConfig config = file.config();

        assertThat(file.exists()).isTrue();
        assertThat(config.datastores().keySet()).containsExactly("store1", "bucket1");
        assertThat(config.datastores().get("store1"))
                .isEqualTo(new DatastoreConfig(
                        "store1",
                        "/mnt/backup/store1",
                        BackendConfig.FILESYSTEM,
                        DatastoreTuning.of(tuning()),
                        new Extras(
                                Optional.of("nightly VMs"),
                                Optional.of("daily"),
                                KeepOptions.of(Map.of("last", 3, "daily", 7)),
                                Optional.empty())));
        DatastoreConfig bucket = config.datastores().get("bucket1");
        assertThat(bucket.backend())
                .isEqualTo(BackendConfig.parse("s3,client=c1,bucket=backups,max-cache-size=64 GiB"));
        assertThat(bucket.extras().maintenance()).contains(MaintenanceMode.READ_ONLY);
        assertThat(config.lockDirectory()).contains(Path.of("/run/holdfast"));
        assertThat(config.stateDirectory()).isEmpty();
        assertThat(config.raw()).containsKeys("s3-clients", "server");
        assertThat(file.check()).isEmpty();
        assertThat(file.unknownKeys())
                .containsExactly("datastores.store1.tuning.later-option", "datastores.bucket1.colour");
    }

    private static Map<String, Object> tuning() {
        Map<String, Object> tuning = new LinkedHashMap<>();
        tuning.put("gc-prefetch-batch-size", 1_048_576);
        tuning.put("later-option", List.of(1, 2));
        tuning.put("chunk-order", "inode");
        return tuning;
    }

    @Test
    void missingFile_saysNothing() throws IOException {
        ConfigFile file = ConfigFile.read(files, path);

        assertThat(file.exists()).isFalse();
        assertThat(file.config()).isEqualTo(EngineConfig.EMPTY);
        assertThat(file.check()).isEmpty();
        assertThat(read("# nothing yet\n").config()).isEqualTo(EngineConfig.EMPTY);
        assertThat(read("datastores:\n").config().datastores()).isEmpty();
    }

    @Test
    void unreadableFile_isAnErrorAndNotAnEmptyConfiguration() {
        assertThatThrownBy(() -> ConfigFile.read(files, directory))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(directory.toString());
        assertThatThrownBy(() -> ConfigFile.read(files, directory.resolve("a".repeat(300))))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void syntaxError_isOneLineWithFileAndLine() {
        assertThatThrownBy(() -> read("datastores:\n  a: {\n  b: 1\n"))
                .isInstanceOf(ConfigException.class)
                .message()
                .contains(path + ", line ")
                .doesNotContain("\n");
        assertThatThrownBy(() -> read("a: 1\nb: 2\na: 3\n"))
                .isInstanceOf(ConfigException.class)
                .message()
                .contains("line 3", "duplicate key a")
                .doesNotContain("\n");
        assertThatThrownBy(() -> read("- a\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mapping");
        assertThatThrownBy(() -> {
                    Files.write(path, new byte[] {'a', ':', ' ', (byte) 0xff});
                    ConfigFile.read(files, path);
                })
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void allProblems_areListedWithPathBoundsAndValue() throws IOException {
        ConfigFile file = read("""
                datastores:
                  ab: {path: /one}
                  store1:
                    path: relative
                    comment: [1]
                    gc-schedule: "; rm"
                    maintenance-mode: closed
                    tuning: {gc-atime-cutoff: 5000, gc-prefetch-batch-size: 1023, sync-level: disk}
                    keep: {last: -1, dayly: 2}
                    backend: {type: nfs}
                  store2: {comment: x}
                  store3: 7
                  store4:
                  store5: {path: /x, backend: {type: s3}}
                  store6: {path: /y, keep: 3}
                  store7: {path: /z, keep: {last: 1, keep-last: 2}}
                lock-directory: {a: 1}
                state-directory: relative
                """);

        assertThat(file.check())
                .containsExactlyInAnyOrder(
                        "datastores.ab: datastore name must be 3 to 32 letters, digits, '_', '.' or '-', and begin with"
                                + " none of the last two, not 'ab'",
                        "datastores.store1.path must be an absolute path of 2 to 4096 characters, not '/', without control"
                                + " characters and without '.' or '..' as a component, not 'relative'",
                        "datastores.store1.comment must be one line of at most 4096 characters, without control"
                                + " characters, not '[1]'",
                        "datastores.store1.gc-schedule must be a calendar event of at most 128 characters, for example"
                                + " daily or 'sat 03:00', not '; rm'",
                        "datastores.store1.maintenance-mode must be one of read-only, offline, delete, not 'closed'",
                        "datastores.store1.tuning.gc-atime-cutoff must be a whole number from 1 to 2880 (minutes), not"
                                + " '5000'",
                        "datastores.store1.tuning.gc-prefetch-batch-size must be a whole number from 1024 to 16777216"
                                + " (digests), not '1023'",
                        "datastores.store1.tuning.sync-level must be one of none, file, filesystem, not 'disk'",
                        "datastores.store1.keep.last must be a whole number from 0 to 2147483647 (snapshots), not '-1'",
                        "datastores.store1.keep.dayly is no retention rule; known are last, hourly, daily, weekly,"
                                + " monthly, yearly",
                        "datastores.store1.backend.type must be one of filesystem, s3, not 'nfs'",
                        "datastores.store2.path is missing: the root directory of the store",
                        "datastores.store3 must be a mapping of keys to values, not '7'",
                        "datastores.store3.path is missing: the root directory of the store",
                        "datastores.store4 must be a mapping of keys to values, with a path",
                        "datastores.store5.backend: a backend of type s3 needs a client and a bucket",
                        "datastores.store6.keep must be a mapping of keys to values, not '3'",
                        "datastores.store7.keep: keep-last is set twice",
                        "lock-directory must be an absolute path of at most 4096 characters, not '{a=1}'",
                        "state-directory must be an absolute path of at most 4096 characters, not 'relative'");
        assertThatThrownBy(file::config)
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(path + ": ")
                .hasMessageEndingWith("(and 19 more)");
    }

    @Test
    void nestedAndEqualStores_areReportedOnceEach() throws IOException {
        assertThat(read("datastores:\n  outer: {path: /d}\n  inner: {path: /d/b}\n  other: {path: /db}\n")
                        .check())
                .singleElement()
                .asString()
                .startsWith("datastores.inner.path: /d/b lies in the datastore 'outer' (/d)");
        assertThat(read("datastores:\n  one: {path: /d}\n  two: {path: //d/}\n").check())
                .singleElement()
                .asString()
                .contains("one", "two", " is the datastore");
    }

    // --- editing
    // ------------------------------------------------------------------------------------------------------

    @Test
    void addedStore_comesBackAndEverythingElseStays() throws IOException {
        DatastoreConfig config = new DatastoreConfig(
                "new_store",
                "/mnt/new store",
                BackendConfig.parse("s3,client=c1,bucket=other,max-cache-size=1500"),
                DatastoreTuning.parse("gc-atime-safety-check=no,sync-level=none,gc-prefetch-batch-size=2048"),
                new Extras(
                        Optional.of("with: colon # and hash"),
                        Optional.of("sat 03:00"),
                        KeepOptions.of(Map.of("weekly", 2)),
                        Optional.of(MaintenanceMode.OFFLINE)));
        ConfigFile file = read(EXAMPLE);

        file.addDatastore(config);
        file.write();

        ConfigFile again = ConfigFile.read(files, path);
        assertThat(again.config().datastores().get("new_store")).isEqualTo(config);
        assertThat(again.config().datastores().keySet()).containsExactly("store1", "bucket1", "new_store");
        assertThat(Files.readAllLines(path)).containsAll(EXAMPLE.lines().toList());
        again.removeDatastore("new_store");
        assertThat(again.text()).isEqualTo(EXAMPLE);
    }

    @Test
    void firstStore_makesFileAndDirectories() throws IOException {
        path = directory.resolve("a/b/holdfast.yaml");
        ConfigFile file = ConfigFile.read(files, path);
        file.addDatastore(DatastoreConfig.of("store1", "/mnt/s"));
        file.write();

        assertThat(path).content().isEqualTo("datastores:\n  store1:\n    path: /mnt/s\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        assertThat(path.getParent()).isDirectoryNotContaining("glob:**.tmp_*");
    }

    @Test
    void tuning_isSetAndUnsetKeyByKey() throws IOException {
        ConfigFile file = read(EXAMPLE);

        file.setTuning("store1", Map.of("gc-atime-cutoff", "60"), List.of("gc-prefetch-batch-size"));
        file.setTuning("bucket1", Map.of("gc-atime-safety-check", "off"), List.of());

        assertThat(file.text())
                .isEqualTo(EXAMPLE.replace("gc-prefetch-batch-size: 1048576, ", "")
                        .replace("chunk-order: inode}", "chunk-order: inode, gc-atime-cutoff: 60}")
                        .replace("colour: red\n", "colour: red\n    tuning:\n      gc-atime-safety-check: false\n"));
    }

    @Test
    void options_areSetAndUnset() throws IOException {
        ConfigFile file = read(EXAMPLE);
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        changes.put("comment", null);
        changes.put("keep.daily", 14);
        changes.put("keep.yearly", 1);
        changes.put("maintenance-mode", "offline");

        file.setOptions("store1", changes);

        assertThat(file.text())
                .isEqualTo(EXAMPLE.replace("    comment: nightly VMs   # and more\n", "")
                        .replace(
                                "keep: {last: 3, daily: 7}\n",
                                "keep: {last: 3, daily: 14, yearly: 1}\n    maintenance-mode: offline\n"));
    }

    @Test
    void editThatWouldBreakTheFile_isRefusedAsAWhole() throws IOException {
        ConfigFile file = read(EXAMPLE);
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        changes.put("comment", "new");
        changes.put("maintenance-mode", "closed");

        assertThatThrownBy(() -> file.setOptions("store1", changes))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("datastores.store1.maintenance-mode must be one of")
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> file.addDatastore(DatastoreConfig.of("inner", "/mnt/backup/store1/x")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("store1");
        assertThatThrownBy(() -> file.addDatastore(DatastoreConfig.of("store1", "/mnt/x")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("already");
        assertThatThrownBy(() -> file.setTuning("store1", Map.of("gc-atime-cutoff", "0"), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(file.text()).isEqualTo(EXAMPLE);
    }

    @Test
    void storeThatIsNotConfigured_cannotBeChanged() throws IOException {
        ConfigFile file = read(EXAMPLE);

        assertThatThrownBy(() -> file.setOptions("nope", Collections.singletonMap("comment", "x")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'nope'");
        assertThatThrownBy(() -> file.setTuning("nope", Map.of(), List.of("x"))).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> file.removeDatastore("nope")).isInstanceOf(ConfigException.class);
        assertThat(file.text()).isEqualTo(EXAMPLE);
    }

    @Test
    void brokenFile_canBeMendedStepByStep() throws IOException {
        ConfigFile file =
                read("datastores:\n  store1: {path: /x, tuning: {gc-atime-cutoff: 0}}\n  store2: {comment: y}\n");

        file.setTuning("store1", Map.of("gc-atime-cutoff", "60"), List.of());
        assertThat(file.check()).hasSize(1);
        file.removeDatastore("store2");
        assertThat(file.check()).isEmpty();
    }

    // --- writing
    // ------------------------------------------------------------------------------------------------------

    @Test
    void fileThatChangedSinceItWasRead_isNotOverwritten() throws IOException {
        ConfigFile file = read(EXAMPLE);
        file.removeDatastore("bucket1");
        String theirs = EXAMPLE + "# theirs\n";
        Files.writeString(path, theirs);

        assertThatThrownBy(file::write)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("changed by somebody else")
                .hasMessageContaining(path.toString());
        assertThat(path).content().isEqualTo(theirs);
    }

    @Test
    void fileThatCameOrWentSinceItWasRead_isNotOverwrittenEither() throws IOException {
        ConfigFile absent = ConfigFile.read(files, path);
        absent.addDatastore(DatastoreConfig.of("store1", "/mnt/s"));
        Files.writeString(path, "# theirs\n");
        assertThatThrownBy(absent::write).hasMessageContaining("changed by somebody else");

        ConfigFile present = ConfigFile.read(files, path);
        present.addDatastore(DatastoreConfig.of("store1", "/mnt/s"));
        Files.delete(path);
        assertThatThrownBy(present::write).hasMessageContaining("changed by somebody else");
        assertThat(path).doesNotExist();
    }

    @Test
    void secondWrite_buildsOnTheFirst() throws IOException {
        ConfigFile file = read(EXAMPLE);
        file.removeDatastore("bucket1");
        file.write();
        file.setOptions("store1", Collections.singletonMap("comment", null));
        file.write();

        assertThat(path).content().isEqualTo(file.text()).doesNotContain("bucket1", "nightly");
    }

    @Test
    void modeOfTheFile_isKept() throws IOException {
        ConfigFile file = read(EXAMPLE);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
        file.removeDatastore("bucket1");
        file.write();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void linkToTheFile_staysALink() throws IOException {
        Path real = Files.createDirectory(directory.resolve("real")).resolve("h.yaml");
        Files.writeString(real, EXAMPLE);
        Files.createSymbolicLink(path, real);
        ConfigFile file = ConfigFile.read(files, path);
        file.removeDatastore("bucket1");
        file.write();

        assertThat(path).isSymbolicLink();
        assertThat(real).content(StandardCharsets.UTF_8).isEqualTo(file.text());
    }

    @Test
    void fileThatAnotherProcessIsChanging_isNotWritten() throws IOException {
        ConfigFile file = read(EXAMPLE);
        file.removeDatastore("bucket1");
        try (LockHandle lock = files.openLock(directory.resolve("holdfast.yaml.lock"), 0600)) {
            assertThat(lock.tryFlock(true)).isTrue();
            assertThatThrownBy(file::write)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("being changed by another process");
        }
        assertThat(path).content().isEqualTo(EXAMPLE);
        file.write();
        assertThat(path).content().doesNotContain("bucket1");
    }
}
