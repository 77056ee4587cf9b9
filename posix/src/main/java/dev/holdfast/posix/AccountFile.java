package dev.holdfast.posix;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds a local account in a file in the format of {@code /etc/passwd}. Read as text rather than asked of
 * {@code getpwnam}: that one answers in static memory that any other thread may overwrite, and loads name service modules
 * into the process. Accounts of a directory service are therefore not seen.
 */
final class AccountFile {

    private AccountFile() {}

    /** The uid and primary gid, or null if no line is for this name. */
    static int @Nullable [] find(PosixFiles files, Path file, String name) throws PosixException {
        byte[] content;
        try (ReadableFile readable = files.openForReading(file)) {
            ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(readable.size() + 1, 1 << 24));
            content = new byte[readable.read(0, buffer)];
            buffer.flip().get(content);
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                return null;
            }
            throw e;
        }
        for (String line : new String(content, StandardCharsets.UTF_8).split("\n", -1)) {
            String[] fields = line.split(":", -1);
            if (fields.length >= 4 && fields[0].equals(name)) {
                try {
                    return new int[] {Integer.parseUnsignedInt(fields[2]), Integer.parseUnsignedInt(fields[3])};
                } catch (NumberFormatException e) {
                    throw new PosixException("parse", file + ", account " + name, Errno.EINVAL.number());
                }
            }
        }
        return null;
    }
}
