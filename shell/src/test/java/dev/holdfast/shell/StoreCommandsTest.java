package dev.holdfast.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.holdfast.shell.line.AnnotatedCommand;
import dev.holdfast.shell.line.ShellFixture;
import dev.holdfast.testkit.MiniDatastore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every command, on the small store that comes with the formats, in both forms of output. */
class StoreCommandsTest {

    private static final String FIRST = "host/mini/2024-01-02T03:04:05Z";
    private static final String PROTECTED = "host/mini/2024-01-03T03:04:05Z";
    private static final String UNFINISHED = "host/mini/2024-01-04T03:04:05Z";
    private static final String CHUNK = "14c98848285f5c686132ac34073862fa803d79f4bd6eca3d3defb9ac079d54c0";

    private static final int CHUNK_BYTES = 4 * 1024 * 1024;

    @TempDir
    Path directory;

    private Path mini;
    private ShellFixture shell;
    private final Set<String> covered = new TreeSet<>();

    @BeforeEach
    void unpack() throws IOException {
        mini = MiniDatastore.unpack(directory);
        Files.createDirectories(mini.resolve(".chunks/bb9f"));
        Path config = directory.resolve("holdfast.yaml");
        Files.writeString(
                config,
                "lock-directory: " + directory.resolve("locks") + "\nstate-directory: " + directory.resolve("state")
                        + "\ndatastores:\n  mini:\n    path: " + mini + "\n");
        Map<String, String> environment = new HashMap<>();
        environment.put("HOLDFAST_CONFIG", config.toString());
        environment.put("HOLDFAST_PASSPHRASE", "a long secret");
        environment.put("HOLDFAST_NEW_PASSPHRASE", "another secret");
        shell = new ShellFixture(Commands.CLASSES, environment);
    }

    /** Runs a command with JSON output, after the same with {@code --help}; gives the document. */
    private JsonNode json(int code, String line) {
        String[] words = line.split(" ");
        AnnotatedCommand command =
                shell.commands().catalog().longestMatch(List.of(words)).orElseThrow();
        covered.add(command.getName());
        int actual = shell.run(
                Stream.concat(Stream.of(words), Stream.of("--output", "json")).toArray(String[]::new));
        assertThat(actual).describedAs("%s: %s", line, shell.err()).isEqualTo(code);
        if (shell.out().isEmpty()) {
            assertThat(code).isNotZero();
            assertThat(shell.err().lines()).hasSize(1);
            return JsonMapper.shared().nullNode();
        }
        return JsonMapper.shared().readTree(shell.out());
    }

    private void fails(int code, String message, String... words) {
        assertThat(shell.run(words)).describedAs(shell.err()).isEqualTo(code);
        assertThat(shell.err()).contains(message);
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.out()).isEmpty();
    }

    @Test
    void everyCommand_givesOneJsonDocument() throws IOException, NoSuchAlgorithmException {
        Path image = directory.resolve("image");
        byte[] content = new byte[9 * 1024 * 1024];
        new Random(7).nextBytes(content);
        Files.write(image, content);
        makePrefixDirectories(content);
        String first = mini + "/host/mini/2024-01-02T03:04:05Z/";

        assertThat(json(0, "datastore list").get(0).get("name").asString()).isEqualTo("mini");
        assertThat(json(0, "datastore show mini").at("/counts/host/snapshots").asInt())
                .isEqualTo(3);
        json(0, "datastore update mini --comment text --keep-daily 7");
        assertThat(json(0, "tuning set mini gc-prefetch-batch-size=2048 gc-atime-cutoff=60")
                        .at("/tuning/gc-prefetch-batch-size")
                        .asInt())
                .isEqualTo(2048);
        json(0, "tuning show mini");
        json(0, "tuning unset mini gc-prefetch-batch-size");
        assertThat(json(0, "snapshot list mini")).hasSize(4);
        json(0, "snapshot show mini " + FIRST);
        assertThat(json(0, "snapshot files mini " + FIRST)
                        .get(0)
                        .get("crypt-mode")
                        .asString())
                .isEqualTo("none");
        json(0, "snapshot notes mini " + FIRST + " hello");
        json(0, "snapshot unprotect mini " + PROTECTED);
        json(0, "snapshot protect mini " + PROTECTED);
        json(0, "group list mini");
        json(0, "group notes mini host/mini hello");
        json(0, "group owner mini host/mini root@pam");
        json(0, "namespace create mini new");
        json(0, "namespace list mini");
        json(0, "namespace delete mini new");
        json(0, "inspect blob " + first + "guest.conf.blob");
        json(0, "inspect index " + first + "disk.img.fidx");
        assertThat(json(0, "inspect manifest " + first + "index.json.blob")
                        .get("backup-id")
                        .asString())
                .isEqualTo("mini");
        json(0, "inspect chunk mini " + CHUNK);
        json(0, "restore image mini " + FIRST + " disk.img.fidx " + directory.resolve("disk.img"));
        json(0, "restore file mini " + FIRST + " guest.conf.blob " + directory.resolve("guest.conf"));
        json(13, "verify run mini --read-only");
        json(0, "gc status mini");
        assertThat(json(0, "gc run mini --dry-run").get("dry-run").asBoolean()).isTrue();
        json(0, "prune run mini --keep-last 5 --dry-run");
        json(0, "snapshot forget mini " + UNFINISHED);
        json(3, "group forget mini host/mini");
        json(0, "key create " + directory.resolve("k.key"));
        json(0, "key show " + directory.resolve("k.key"));
        json(0, "key change-passphrase " + directory.resolve("k.key"));
        json(0, "config show");
        json(0, "config check");
        json(0, "config path");
        JsonNode backup = json(0, "backup image mini vm/100 " + image + " --archive drive0 --notes text");
        assertThat(backup.get("size").asLong()).isEqualTo(content.length);
        assertThat(backup.get("new-chunks").asInt()).isEqualTo(3);
        treeCommands();
        json(0, "datastore remove mini");
        // Of its 65536 prefix directories the small store has only those that hold something.
        json(3, "datastore add again " + mini);
        Files.writeString(directory.resolve("pbs.cfg"), "datastore: imported\n\tpath /mnt/imported\n");
        json(0, "datastore import-config " + directory.resolve("pbs.cfg"));
        json(0, "help gc run");
        json(0, "version");

        Set<String> all = new TreeSet<>();
        shell.commands().catalog().commands().forEach(command -> all.add(command.getName()));
        // These have no document of their own, or are tests of their own.
        all.removeAll(Set.of("script", "serve", "quickstart", "archive cat"));
        assertThat(covered).isEqualTo(all);
    }

    /** On a store that is made here; in memory where that can be, because 65536 directories take their time on a disk. */
    private void treeCommands() throws IOException {
        Path memory = Path.of("/dev/shm");
        Path place = Files.createTempDirectory(Files.isWritable(memory) ? memory : directory, "holdfast-");
        json(0, "datastore create made " + place.resolve("store"));
        Path tree = Files.createDirectories(directory.resolve("tree/below"));
        Files.writeString(tree.resolve("file"), "content");
        JsonNode backup = json(0, "backup dir made host/web1 " + directory.resolve("tree") + " --archive root");
        String snapshot = backup.get("snapshot").asString();
        assertThat(backup.get("entries").asInt()).isPositive();
        assertThat(json(0, "archive list made " + snapshot + " root")
                        .get(0)
                        .get("path")
                        .asString())
                .isEqualTo("below");
        json(0, "restore dir made " + snapshot + " root " + directory.resolve("tree-restored"));
        assertThat(directory.resolve("tree-restored/below/file")).hasContent("content");
        assertThat(shell.run("archive", "cat", "made", snapshot, "root", "below/file"))
                .isZero();
        assertThat(shell.out()).isEqualTo("content");
        json(0, "datastore remove made --destroy-data");
        assertThat(place.resolve("store")).doesNotExist();
        Files.delete(place);
    }

    /** The small store has only the prefix directories that it needs. */
    private void makePrefixDirectories(byte[] image) throws IOException, NoSuchAlgorithmException {
        for (int at = 0; at < image.length; at += CHUNK_BYTES) {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(image, at, Math.min(CHUNK_BYTES, image.length - at));
            String prefix = HexFormat.of().formatHex(sha.digest()).substring(0, 4);
            Files.createDirectories(mini.resolve(".chunks").resolve(prefix));
        }
    }

    @Test
    void collection_removesTheOrphansAndTellsSo() throws IOException {
        try (Stream<Path> files = Files.walk(mini.resolve(".chunks"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.getFileAttributeView(file, BasicFileAttributeView.class)
                        .setTimes(null, FileTime.fromMillis(1_704_000_000_000L), null);
            }
        }

        JsonNode gc = json(0, "gc run mini");

        assertThat(gc.at("/status/index-file-count").asInt()).isEqualTo(8);
        assertThat(gc.at("/status/index-data-bytes").asLong()).isEqualTo(1_600_000);
        assertThat(gc.at("/status/disk-chunks").asInt()).isEqualTo(13);
        assertThat(gc.at("/status/removed-chunks").asInt()).isEqualTo(1);
        assertThat(gc.at("/status/removed-bad").asInt()).isEqualTo(1);
        assertThat(gc.at("/phases/0/name").asString()).isEqualTo("mark");
        assertThat(gc.at("/phases/0/references").asInt()).isEqualTo(24);
        assertThat(gc.at("/phases/1/removed").asInt()).isEqualTo(2);
        assertThat(gc.at("/warnings")).isEmpty();
        assertThat(gc.has("candidates")).isFalse();
        assertThat(json(0, "gc status mini").get("removed-chunks").asInt()).isEqualTo(1);
    }

    @Test
    void missingChunk_isAWarningForGcAndDamageForVerify() throws IOException {
        Files.delete(mini.resolve(".chunks/14c9").resolve(CHUNK));

        JsonNode gc = json(3, "gc run mini");

        assertThat(gc.at("/warnings/0/kind").asString()).isEqualTo("missing-chunk");
        assertThat(gc.at("/warnings/0/digest").asString()).isEqualTo(CHUNK);
        assertThat(gc.at("/warnings/0/index").asString()).contains("idx");
        assertThat(json(13, "verify run mini").get("missing").asInt()).isEqualTo(1);
    }

    @Test
    void failures_haveTheirCodes() throws IOException {
        fails(10, "no datastore 'nope'", "snapshot", "list", "nope");
        fails(10, "has no snapshot", "snapshot", "show", "mini", "host/mini/2020-01-01T00:00:00Z");
        fails(10, "has no group", "group", "forget", "mini", "vm/999");
        fails(10, "has no chunk", "inspect", "chunk", "mini", "bb9f" + "0".repeat(60));
        fails(
                10,
                "no such file",
                "backup",
                "image",
                "mini",
                "vm/1",
                directory.resolve("none").toString());
        fails(10, "no such file", "inspect", "blob", directory.resolve("none").toString());
        fails(12, "protected", "snapshot", "forget", "mini", PROTECTED);
        fails(2, "gc-atime-cutoff must be", "tuning", "set", "mini", "gc-atime-cutoff=0");
        fails(2, "no tuning option 'gc-cutoff'", "tuning", "set", "mini", "gc-cutoff=1");
        fails(2, "expected KEY=VALUE", "tuning", "set", "mini", "gc-atime-cutoff");
        fails(2, "keep-last must be", "prune", "run", "mini", "--keep-last", "-1");
        fails(2, "--keep-last", "prune", "run", "mini", "--keep-last=");
        fails(2, "--time", "backup", "image", "mini", "vm/1", "x", "--time", "yesterday");
        fails(2, "blob", "restore", "image", "mini", FIRST, "guest.conf.blob", "x");
        fails(2, "nothing to change", "datastore", "update", "mini");
        fails(
                2,
                "datastore name must be",
                "datastore",
                "create",
                "x",
                directory.resolve("x").toString());
        fails(
                1,
                "already",
                "datastore",
                "create",
                "mini",
                directory.resolve("x").toString());
        fails(
                12,
                "one inside the other",
                "datastore",
                "create",
                "inner",
                mini.resolve("inner").toString());
        Files.writeString(directory.resolve("taken"), "");
        fails(
                1,
                "--overwrite",
                "restore",
                "file",
                "mini",
                FIRST,
                "guest.conf.blob",
                directory.resolve("taken").toString());
        Files.writeString(directory.resolve("bad.blob"), "this is no blob at all");
        fails(13, "bad.blob", "inspect", "blob", directory.resolve("bad.blob").toString());
        Files.writeString(directory.resolve("broken.yaml"), "datastores: [\n");
        fails(
                1,
                "broken.yaml",
                "datastore",
                "list",
                "--config",
                directory.resolve("broken.yaml").toString());
    }

    @Test
    void emptyPolicy_keepsEverythingWithAWarning() {
        JsonNode prune = json(3, "prune run mini --keep-last 0");

        assertThat(prune.get("removed").asInt()).isZero();
        assertThat(prune.get("warnings")).hasSize(1);
        assertThat(json(0, "snapshot list mini")).hasSize(4);
    }

    @Test
    void damagedOwner_doesNotHideTheOthers() throws IOException {
        Files.writeString(mini.resolve("host/mini/owner"), "???\n");

        assertThat(json(3, "group list mini")).hasSize(2);
        assertThat(shell.err()).contains("host/mini");
        assertThat(json(3, "snapshot list mini")).hasSize(4);
    }

    @Test
    void backupOfWhatIsNoImage_leavesNoSnapshot() throws IOException {
        Files.write(directory.resolve("empty"), new byte[0]);

        fails(
                1,
                "is empty",
                "backup",
                "image",
                "mini",
                "vm/7",
                directory.resolve("empty").toString());
        fails(1, "neither a regular file", "backup", "image", "mini", "vm/7", directory.toString());
        assertThat(mini.resolve("vm/7")).doesNotExist();
    }

    @Test
    void failedRestore_leavesNoTarget() throws IOException {
        try (Stream<Path> files = Files.walk(mini.resolve(".chunks"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.write(file, new byte[] {1, 2, 3});
            }
        }
        Path target = directory.resolve("out");

        for (String archive : new String[] {"disk.img.fidx", "stream.ppxar.didx"}) {
            assertThat(shell.run("restore", "image", "mini", FIRST, archive, target.toString()))
                    .isEqualTo(13);
        }

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.filter(file -> file.getFileName().toString().contains("out")))
                    .isEmpty();
        }
    }

    @Test
    void everyCommand_hasHelpWithAnExample() {
        assertThat(shell.run("help")).isZero();
        String overview = shell.out();
        for (AnnotatedCommand command : shell.commands().catalog().commands()) {
            assertThat(overview).contains("  " + command.getName());
            String[] words = (command.getName() + " --help").split(" ");
            assertThat(shell.run(words)).isZero();
            assertThat(shell.out()).contains("Example:", "holdfast " + command.getName());
            command.optionSpecs().forEach(option -> assertThat(shell.out()).contains("--" + option.name()));
            command.argumentSpecs().forEach(spec -> assertThat(shell.out()).contains(spec.placeholder()));
            assertThat(command.getDescription()).endsWith(".");
        }
        assertThat(shell.run("tuning", "set", "--help")).isZero();
        assertThat(shell.out()).contains("gc-prefetch-batch-size: a whole number from 1024 to 16777216");
    }

    @Test
    void text_hasTablesAndLocalTimes() {
        assertThatNoException().isThrownBy(() -> shell.run("snapshot", "list", "mini"));
        assertThat(shell.out().lines().findFirst().orElseThrow())
                .startsWith("ns")
                .contains("snapshot", "size");
        assertThat(shell.run("snapshot", "show", "mini", FIRST)).isZero();
        assertThat(shell.out()).contains("Snapshot:", "guest.conf.blob");
        assertThat(shell.run("verify", "run", "mini", "--quiet", "--read-only")).isEqualTo(13);
    }
}
