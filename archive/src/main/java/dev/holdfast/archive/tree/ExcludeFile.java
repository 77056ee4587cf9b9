package dev.holdfast.archive.tree;

import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.TreeDirectory;
import dev.holdfast.posix.TreeFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The exclude list of a directory: one pattern a line, {@code #} begins a comment line, empty lines do not count. */
final class ExcludeFile {

    static final byte[] NAME = ".pxarexclude".getBytes(StandardCharsets.US_ASCII);

    /** Longest file that is read, in bytes; a longer one is no list. */
    private static final int MAX_SIZE = 1 << 20;

    /** Every name is tried against every pattern, so a list of absurd length would stall a backup. */
    private static final int MAX_PATTERNS = 4096;

    private ExcludeFile() {}

    /** Reads the list. @param ignored is told what was ignored (path) and why */
    static List<ExcludePattern> read(TreeDirectory directory, BiConsumer<String, String> ignored) {
        String path = directory.path() + "/.pxarexclude";
        byte[] text;
        try (TreeFile file = directory.openFile(NAME)) {
            FileStat stat = new FileStat();
            file.stat(stat);
            if (stat.type() != FileType.REGULAR || stat.size() > MAX_SIZE) {
                ignored.accept(path, "not a regular file of at most " + MAX_SIZE + " bytes");
                return List.of();
            }
            ByteBuffer into = ByteBuffer.allocate((int) stat.size());
            text = Arrays.copyOf(into.array(), file.read(0, into));
        } catch (PosixException e) {
            ignored.accept(path, e.getMessage());
            return List.of();
        }
        return parse(text, why -> ignored.accept(path, why));
    }

    static List<ExcludePattern> parse(byte[] text, Consumer<String> ignored) {
        List<ExcludePattern> patterns = new ArrayList<>();
        int from = 0;
        while (from < text.length) {
            int to = from;
            while (to < text.length && text[to] != '\n') {
                to++;
            }
            if (to > from && text[from] != '#') {
                if (patterns.size() == MAX_PATTERNS) {
                    ignored.accept("the patterns behind the first " + MAX_PATTERNS + " do not count");
                    break;
                }
                try {
                    patterns.add(ExcludePattern.parse(Arrays.copyOfRange(text, from, to)));
                } catch (IllegalArgumentException e) {
                    ignored.accept(e.getMessage());
                }
            }
            from = to + 1;
        }
        return patterns;
    }
}
