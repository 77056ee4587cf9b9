package dev.holdfast.shell.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A real directory tree for the tour: parts of the Java that runs it, with links, executables and small files. */
final class SampleTree {

    private static final List<String> PARTS = List.of("bin", "conf", "include", "legal");

    private SampleTree() {}

    /** The parts that there are. */
    static List<Path> sources() {
        Path home = Path.of(System.getProperty("java.home"));
        return PARTS.stream().map(home::resolve).filter(Files::isDirectory).toList();
    }

    /** Copies as {@code cp -a} does. */
    static void copy(List<Path> sources, Path target) throws IOException {
        Files.createDirectories(target);
        for (Path source : sources) {
            copyTree(source, target.resolve(source.getFileName()));
        }
    }

    static void copyTree(Path source, Path target) throws IOException {
        List<Path> entries;
        try (Stream<Path> walk = Files.walk(source)) {
            entries = walk.toList();
        }
        for (Path entry : entries) {
            Files.copy(
                    entry,
                    target.resolve(source.relativize(entry)),
                    LinkOption.NOFOLLOW_LINKS,
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        // Making entries has changed the times of the directories.
        for (Path entry : entries) {
            if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                Files.setLastModifiedTime(target.resolve(source.relativize(entry)), Files.getLastModifiedTime(entry));
            }
        }
    }

    /** Some work: one new file, one that grows, one that goes. @return what was done, a sentence each */
    static List<String> change(Path tree) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(tree)) {
            files = walk.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
        Path grows = files.get(files.size() / 3);
        Path goes = files.get(files.size() / 2);
        Files.writeString(tree.resolve("new.txt"), "made between two backups\n");
        grows.toFile().setWritable(true);
        Files.writeString(grows, "\nanother line\n", StandardOpenOption.APPEND);
        Files.delete(goes);
        return List.of("made new.txt", "added a line to " + tree.relativize(grows), "removed " + tree.relativize(goes));
    }

    /** The first difference between two trees: names, types, modes, times to the second, links, contents. */
    static Optional<String> difference(Path expected, Path actual) throws IOException {
        TreeMap<String, Path> wanted = entries(expected);
        TreeMap<String, Path> found = entries(actual);
        if (!wanted.keySet().equals(found.keySet())) {
            return Optional.of("the names differ");
        }
        for (String name : wanted.keySet()) {
            if (!same(wanted.get(name), found.get(name))) {
                return Optional.of(name + " differs");
            }
        }
        return Optional.empty();
    }

    /** Number of entries below a tree's root. */
    static int count(Path tree) throws IOException {
        return entries(tree).size() - 1;
    }

    private static TreeMap<String, Path> entries(Path tree) throws IOException {
        TreeMap<String, Path> entries = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(tree)) {
            walk.forEach(entry -> entries.put(tree.relativize(entry).toString(), entry));
        }
        return entries;
    }

    private static boolean same(Path a, Path b) throws IOException {
        PosixFileAttributes wanted = Files.readAttributes(a, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        PosixFileAttributes found = Files.readAttributes(b, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (wanted.isSymbolicLink()) {
            return found.isSymbolicLink() && Files.readSymbolicLink(a).equals(Files.readSymbolicLink(b));
        }
        boolean alike = wanted.isDirectory() == found.isDirectory()
                && wanted.isRegularFile() == found.isRegularFile()
                && wanted.permissions().equals(found.permissions())
                && wanted.lastModifiedTime().toInstant().getEpochSecond()
                        == found.lastModifiedTime().toInstant().getEpochSecond();
        return alike && (!wanted.isRegularFile() || Files.mismatch(a, b) < 0);
    }
}
