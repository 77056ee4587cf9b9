package dev.holdfast.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class YamlTextTest {

    private static final String FILE = """
            # Backups of the house.
            datastores:
              # the big one
              store1:
                path: /mnt/backup/store1   # on the array
                comment: nightly VMs
                later: {x: [1, 2], y: "a # b"}

                tuning: {gc-prefetch-batch-size: 1048576, chunk-order: inode}
                keep:
                  last: 3   # three
                  daily: 7
              store2:
                path: "/mnt/s 2"

            # the bucket
            s3-clients:
              c1: {endpoint: "http://127.0.0.1:9000"}
            server: {listen: "127.0.0.1:8007"}
            """;

    private static YamlText text() {
        return new YamlText(FILE);
    }

    @Test
    void scalar_isReplacedInItsLine() {
        assertThat(text().with(List.of("datastores", "store1", "path"), "/srv/x")
                        .text())
                .isEqualTo(FILE.replace("path: /mnt/backup/store1   #", "path: /srv/x   #"));
        assertThat(text().with(List.of("datastores", "store1", "keep", "last"), 5L)
                        .text())
                .isEqualTo(FILE.replace("last: 3   # three", "last: 5   # three"));
    }

    @Test
    void keyOfAMappingInOneLine_isReplacedAddedAndRemovedInThatLine() {
        List<String> tuning = List.of("datastores", "store1", "tuning");
        assertThat(text().with(join(tuning, "chunk-order"), "none").text())
                .isEqualTo(FILE.replace("chunk-order: inode", "chunk-order: none"));
        assertThat(text().with(join(tuning, "gc-atime-cutoff"), 60L).text())
                .isEqualTo(FILE.replace("chunk-order: inode}", "chunk-order: inode, gc-atime-cutoff: 60}"));
        assertThat(text().without(join(tuning, "gc-prefetch-batch-size")).text())
                .isEqualTo(FILE.replace("gc-prefetch-batch-size: 1048576, ", ""));
        assertThat(text().without(join(tuning, "chunk-order")).text())
                .isEqualTo(FILE.replace(", chunk-order: inode", ""));
    }

    @Test
    void newKey_comesBehindTheLastOneOfItsMapping() {
        assertThat(text().with(List.of("datastores", "store1", "gc-schedule"), "daily")
                        .text())
                .isEqualTo(FILE.replace("      daily: 7\n", "      daily: 7\n    gc-schedule: daily\n"));
        assertThat(text().with(List.of("datastores", "store2", "keep", "last"), 1L)
                        .text())
                .isEqualTo(FILE.replace("\"/mnt/s 2\"\n", "\"/mnt/s 2\"\n    keep:\n      last: 1\n"));
        assertThat(text().with(List.of("lock-directory"), "/run/x").text())
                .isEqualTo(FILE + "lock-directory: /run/x\n");
    }

    @Test
    void store_isAddedBehindTheLastStoreAndRemovedWithAllItsLines() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("path", "/mnt/3");
        members.put("keep", Map.of("last", 2));
        YamlText added = text().with(List.of("datastores", "store3"), members);
        assertThat(added.text())
                .isEqualTo(FILE.replace(
                        "\"/mnt/s 2\"\n", "\"/mnt/s 2\"\n  store3:\n    path: /mnt/3\n    keep: {last: 2}\n"));
        assertThat(added.without(List.of("datastores", "store3")).text()).isEqualTo(FILE);
        assertThat(text().without(List.of("datastores", "store2")).text())
                .isEqualTo(FILE.replace("  store2:\n    path: \"/mnt/s 2\"\n", ""));
    }

    @Test
    void lastKeyOfAMapping_leavesAnEmptyMappingAndTheComments() {
        String file = "# head\na: # why\n  # before\n  b: 1 # one\n  # behind\nc: 2\n";

        assertThat(new YamlText(file).without(List.of("a", "b")).text())
                .isEqualTo("# head\na: {} # why\n  # before\n  # behind\nc: 2\n");
        assertThat(new YamlText("a:\n  b: 1\n").without(List.of("a", "b")).text())
                .isEqualTo("a: {}\n");
    }

    @Test
    void lastKeyOfTheFile_leavesTheComments() {
        assertThat(new YamlText("# head\na: 1\n# foot\n").without(List.of("a")).text())
                .isEqualTo("# head\n# foot\n");
        assertThat(new YamlText("# head\n---\na: 1\n").without(List.of("a")).tree())
                .isEmpty();
        assertThat(new YamlText("a: 1").without(List.of("a")).tree()).isEmpty();
    }

    @Test
    void emptyFiles_takeAFirstKey() {
        for (String file : List.of("", "# only a comment", "# c\n", "---\n", "{}\n", "# c\n{}", "~\n", "null")) {
            YamlText changed = new YamlText(file).with(List.of("a", "b", "c"), "x");
            assertThat(changed.tree()).as(file).isEqualTo(Map.of("a", Map.of("b", Map.of("c", "x"))));
            assertThat(comments(changed.text())).isEqualTo(comments(file));
        }
    }

    @Test
    void keyWithoutValue_isFilled() {
        assertThat(new YamlText("a:\n  comment: # none yet\n  b: 1\n")
                        .with(List.of("a", "comment"), "x")
                        .text())
                .isEqualTo("a:\n  comment: x # none yet\n  b: 1\n");
        assertThat(new YamlText("a: # empty\nb: 1\n")
                        .with(List.of("a", "c"), 2L)
                        .tree())
                .isEqualTo(Map.of("a", Map.of("c", 2), "b", 1));
        assertThat(new YamlText("datastores:\n")
                        .with(List.of("datastores", "s", "path"), "/x")
                        .text())
                .isEqualTo("datastores:\n  s:\n    path: /x\n");
    }

    @Test
    void keyThatIsNotThere_isRemovedWithoutAnyChange() {
        assertThat(text().without(List.of("datastores", "store9")).text()).isEqualTo(FILE);
        assertThat(text().without(List.of("datastores", "store1", "path", "x")).text())
                .isEqualTo(FILE);
    }

    @Test
    void scalarOnTheWay_isAnErrorThatNamesIt() {
        assertThatThrownBy(() -> text().with(List.of("datastores", "store1", "path", "x"), 1L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("datastores.store1.path");
    }

    @Test
    void alias_isNotChangedBehindTheBackOfItsAnchor() {
        YamlText file = new YamlText("base: &b {x: 1}\nother: *b\n");

        assertThatThrownBy(() -> file.with(List.of("other", "x"), 2L)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void windowsLineEndsAndNonAscii_areKept() {
        YamlText changed =
                new YamlText("a:\r\n  c: \"\uD83D\uDE00 ä\" # ü\r\n  b: 1\r\nd: 2\r\n").with(List.of("a", "b"), 5L);
        assertThat(changed.text()).isEqualTo("a:\r\n  c: \"\uD83D\uDE00 ä\" # ü\r\n  b: 5\r\nd: 2\r\n");
        assertThat(changed.with(List.of("a", "e"), 6L).tree().toString()).contains("e=6");
    }

    @Test
    void valuesThatYamlWouldReadOtherwise_areQuoted() {
        for (String value : List.of(
                "true",
                "null",
                "~",
                "1",
                "1.0",
                "0x1F",
                "1e3",
                ".inf",
                "a: b",
                "a #b",
                "- x",
                "* x",
                "&a",
                "!t",
                "%d",
                "@x",
                "`x",
                "",
                " ",
                " a",
                "a ",
                "a\nb",
                "\"",
                "'",
                "{",
                "[",
                "ä",
                "\uD83D\uDE00",
                "no",
                "2026-01-31",
                "a,b",
                "C:\\x",
                "=",
                "<<",
                "a\tb",
                "\u0085",
                "\u007f",
                "\ufeffx")) {
            YamlText changed = text().with(List.of("datastores", "store1", "comment"), value);
            assertThat(at(changed.tree(), List.of("datastores", "store1", "comment")))
                    .as(value)
                    .isEqualTo(value);
            YamlText inFlow = text().with(List.of("datastores", "store1", "tuning", "later"), value);
            assertThat(at(inFlow.tree(), List.of("datastores", "store1", "tuning", "later")))
                    .as(value)
                    .isEqualTo(value);
        }
    }

    @Test
    void listsAndBlockScalars_areReplacedAndRemovedAsAWhole() {
        String file =
                "a:\n  text: |\n    one\n    # not a comment\n  list:\n  - 1\n  - x: 2\n    y: 3\n  z: 9\n# end\n";

        assertThat(new YamlText(file).with(List.of("a", "text"), "new").tree().toString())
                .isEqualTo("{a={text=new, list=[1, {x=2, y=3}], z=9}}");
        assertThat(new YamlText(file).without(List.of("a", "text")).text())
                .isEqualTo("a:\n  list:\n  - 1\n  - x: 2\n    y: 3\n  z: 9\n# end\n");
        assertThat(new YamlText(file).without(List.of("a", "list")).text())
                .isEqualTo("a:\n  text: |\n    one\n    # not a comment\n  z: 9\n# end\n");
    }

    // --- any file, any edit
    // -------------------------------------------------------------------------------------------

    /** One edit: set the key at this path to this value, or remove it if the value is empty. */
    record Edit(List<String> path, String value) {}

    @Provide
    static Arbitrary<List<Edit>> edits() {
        Arbitrary<List<String>> path =
                Arbitraries.of("a", "b", "c").list().ofMinSize(1).ofMaxSize(3);
        Arbitrary<String> value = Arbitraries.of("", "x", "12", "two words", "# no comment", "[");
        return path.flatMap(p -> value.map(v -> new Edit(p, v)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }

    @Provide
    static Arbitrary<String> files() {
        Arbitrary<String> comment = Arbitraries.of("", "", "", "# note\n");
        Arbitrary<String> behind = Arbitraries.of("", "", " # why");
        Arbitrary<String> leaf =
                Arbitraries.of("1", "x", "\"q # q\"", "'s'", "", "{}", "{a: 1, b: {c: 2}}", "[1, 2]", "~");
        Arbitrary<String> level3 = level(comment, behind, leaf, "    ");
        Arbitrary<String> level2 = level(comment, behind, Arbitraries.oneOf(leaf, level3), "  ");
        Arbitrary<String> level1 = level(comment, behind, Arbitraries.oneOf(leaf, level2), "");
        Arbitrary<String> end = Arbitraries.of("", "# foot\n", "\n\n");
        return level1.flatMap(t -> end.map(e -> (t.startsWith("\n") ? t.substring(1) : t) + e));
    }

    /** A mapping in block form; begins with the line break behind its parent's colon. */
    private static Arbitrary<String> level(
            Arbitrary<String> comment, Arbitrary<String> behind, Arbitrary<String> value, String indent) {
        Arbitrary<String> entry = comment.flatMap(c -> behind.flatMap(b -> value.map(v -> {
            String head = c.isEmpty() ? "" : indent + c;
            boolean block = v.startsWith("\n");
            String line = indent + "KEY:" + (block ? b + v : (v.isEmpty() ? "" : " " + v) + b + "\n");
            return head + line;
        })));
        return entry.list().ofMinSize(1).ofMaxSize(3).map(entries -> {
            StringBuilder out = new StringBuilder("\n");
            for (int i = 0; i < entries.size(); i++) {
                out.append(entries.get(i).replaceFirst("KEY", "abc".substring(i, i + 1)));
            }
            return out.toString();
        });
    }

    @Property(tries = 1000)
    void anyEdit_isWhatWasAskedForAndLosesNoCommentAndNoOrder(
            @ForAll("files") String file, @ForAll("edits") List<Edit> edits) {
        YamlText text = new YamlText(file);
        for (Edit edit : edits) {
            Map<String, Object> before = text.tree();
            List<String> commentsBefore = comments(text.text());
            YamlText after;
            try {
                after = edit.value().isEmpty() ? text.without(edit.path()) : text.with(edit.path(), edit.value());
            } catch (IllegalArgumentException e) {
                // A scalar or a list stands where a mapping would have to be.
                assertThat(edit.value()).isNotEmpty();
                assertThat(e).hasMessageContaining("must be a mapping");
                continue;
            }
            if (edit.value().isEmpty()) {
                assertThat(at(after.tree(), edit.path())).isNull();
            } else {
                assertThat(at(after.tree(), edit.path())).isEqualTo(edit.value());
            }
            assertThat(order(after.tree(), edit.path())).isEqualTo(order(before, edit.path()));
            if (!edit.value().isEmpty() && !(at(before, edit.path()) instanceof Map)) {
                assertThat(comments(after.text())).isEqualTo(commentsBefore);
            }
            // A removed key takes along what is on its lines and deeper; what stands at the margin belongs to nobody.
            assertThat(marginComments(after.text())).isEqualTo(marginComments(text.text()));
            text = after;
        }
    }

    private static long marginComments(String text) {
        return text.lines().filter(line -> line.startsWith("#")).count();
    }

    private static List<String> join(List<String> path, String key) {
        List<String> longer = new ArrayList<>(path);
        longer.add(key);
        return longer;
    }

    private static Object at(Object tree, List<String> path) {
        Object node = tree;
        for (String key : path) {
            node = node instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return node;
    }

    /** All paths of the tree in their order, but those at, above and below the one that was edited. */
    private static List<String> order(Object tree, List<String> edited) {
        List<String> paths = new ArrayList<>();
        collect(tree, "", paths);
        String target = "/" + String.join("/", edited);
        paths.removeIf(path -> {
            String key = path.substring(0, path.indexOf('='));
            return (target + "/").startsWith(key + "/") || key.startsWith(target + "/");
        });
        return paths;
    }

    private static void collect(Object node, String path, List<String> paths) {
        if (node instanceof Map<?, ?> map && !map.isEmpty()) {
            map.forEach((key, value) -> collect(value, path + "/" + key, paths));
        } else {
            paths.add(path + "=" + Objects.toString(node));
        }
    }

    private static List<String> comments(String text) {
        return text.lines()
                .filter(line -> line.contains("# why")
                        || line.contains("# note")
                        || line.contains("# foot")
                        || line.contains("# c"))
                .map(line -> line.substring(line.lastIndexOf('#')).strip())
                .toList();
    }
}
