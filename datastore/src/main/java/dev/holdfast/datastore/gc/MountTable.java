package dev.holdfast.datastore.gc;

import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's table of mounts: tells where in its filesystem a path lies, and so whether two paths lead into the same
 * tree although neither is above the other. Where the table cannot be read it is empty, and says no.
 */
final class MountTable {

    private static final Path TABLE = Path.of("/proc/self/mountinfo");

    /** @param root the directory of the filesystem that is mounted, @param point where */
    private record Mount(String device, Path root, Path point) {}

    private record Location(String device, Path path) {}

    private final List<Mount> mounts;

    private MountTable(List<Mount> mounts) {
        this.mounts = mounts;
    }

    static MountTable read(PosixFiles files) {
        List<Mount> mounts = new ArrayList<>();
        try (ReadableFile file = files.openForReading(TABLE)) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(16384);
            int read = file.read(0, buffer);
            while (read > 0) {
                content.write(buffer.array(), 0, read);
                buffer.clear();
                read = file.read(content.size(), buffer);
            }
            for (String line : content.toString(StandardCharsets.UTF_8).split("\n")) {
                String[] fields = line.split(" ");
                if (fields.length > 5 && fields[3].startsWith("/") && fields[4].startsWith("/")) {
                    mounts.add(new Mount(fields[2], Path.of(unescape(fields[3])), Path.of(unescape(fields[4]))));
                }
            }
        } catch (PosixException | IllegalArgumentException e) {
            mounts.clear();
        }
        return new MountTable(mounts);
    }

    /**
     * Where a directory would be found from another one, if both lie in one filesystem and the former below the latter.
     *
     * @param outer resolved path
     * @param inner resolved path
     * @return the inner one as seen through the outer, or null; whether it is really there, a look tells
     */
    @Nullable
    Path through(Path outer, Path inner) {
        Location above = locate(outer);
        Location below = locate(inner);
        if (above == null
                || below == null
                || !above.device().equals(below.device())
                || !below.path().startsWith(above.path())) {
            return null;
        }
        return outer.resolve(above.path().relativize(below.path()));
    }

    private @Nullable Location locate(Path path) {
        Mount best = null;
        for (Mount mount : mounts) {
            // A later line hides an earlier one at the same place.
            if (path.startsWith(mount.point())
                    && (best == null
                            || mount.point().getNameCount() >= best.point().getNameCount())) {
                best = mount;
            }
        }
        return best == null
                ? null
                : new Location(
                        best.device(),
                        best.root().resolve(best.point().relativize(path)).normalize());
    }

    /** The table writes blank, tab, newline and backslash as three octal digits. */
    private static String unescape(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\' && i + 3 < text.length()) {
                plain.append((char) Integer.parseInt(text.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }
}
