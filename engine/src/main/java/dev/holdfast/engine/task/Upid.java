package dev.holdfast.engine.task;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a task, written {@code UPID:node:pid:pstart:taskid:starttime:type:id:authid:}.
 *
 * @param node short host name
 * @param pid process id
 * @param pstart start of the process in clock ticks since boot (field 22 of {@code /proc/PID/stat})
 * @param taskId number inside the process, from 0
 * @param startTime Unix seconds
 * @param type worker type, for example {@code garbage_collection}
 * @param id what it works on, not escaped; empty for none
 * @param authId who started it, for example {@code root@pam}
 */
public record Upid(
        String node, int pid, long pstart, long taskId, long startTime, String type, String id, String authId) {

    private static final Pattern TEXT =
            Pattern.compile("UPID:([a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?):([0-9A-Fa-f]{8})"
                    + ":([0-9A-Fa-f]{8,9}):([0-9A-Fa-f]{8,16}):([0-9A-Fa-f]{8}):([^:\\s]+):([^:\\s]*):([^:\\s]+):");

    private static final Pattern NODE = Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?");

    public Upid {
        if (!NODE.matcher(node).matches()) {
            throw new IllegalArgumentException("node must be a host name label: '" + node + "'");
        }
        if (type.isEmpty() || hasForbidden(type) || authId.isEmpty() || hasForbidden(authId)) {
            throw new IllegalArgumentException("task type and user must not be empty or hold '/', ':' or blanks: '"
                    + type + "', '" + authId + "'");
        }
    }

    /**
     * Parses the text form.
     *
     * @throws IllegalArgumentException if it has another form, or the escaping of the id is malformed
     */
    public static Upid parse(String text) {
        Matcher m = TEXT.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("not a task id: '" + text + "'");
        }
        return new Upid(
                m.group(1),
                Integer.parseUnsignedInt(m.group(2), 16),
                Long.parseLong(m.group(3), 16),
                Long.parseUnsignedLong(m.group(4), 16),
                Long.parseLong(m.group(5), 16),
                m.group(6),
                unescape(m.group(7)),
                m.group(8));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "UPID:%s:%08X:%08X:%08X:%08X:%s:%s:%s:",
                node,
                pid,
                pstart,
                taskId,
                startTime,
                type,
                escape(id),
                authId);
    }

    /** The two hex digits that name the directory of this task's log file. */
    String directoryName() {
        return String.format(Locale.ROOT, "%02X", pstart & 0xff);
    }

    /** Escapes an id the way systemd escapes unit names, byte by byte over UTF-8. */
    static String escape(String id) {
        StringBuilder out = new StringBuilder();
        byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            int b = bytes[i] & 0xff;
            if (b == '/') {
                out.append('-');
            } else if (isPlain(b) && !(b == '.' && i == 0)) {
                out.append((char) b);
            } else {
                out.append(String.format(Locale.ROOT, "\\x%02x", b));
            }
        }
        return out.toString();
    }

    /** @throws IllegalArgumentException for a truncated or malformed escape, or bytes that are no UTF-8 */
    static String unescape(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int i = 0;
        while (i < bytes.length) {
            if (bytes[i] == '-') {
                out.write('/');
                i++;
            } else if (bytes[i] == '\\') {
                out.write(escapedByte(bytes, i, text));
                i += 4;
            } else {
                out.write(bytes[i]);
                i++;
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(out.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the id of a task is not UTF-8: '" + text + "'", e);
        }
    }

    private static int escapedByte(byte[] bytes, int at, String text) {
        int high = at + 3 < bytes.length && bytes[at + 1] == 'x' ? Character.digit(bytes[at + 2], 16) : -1;
        int low = high >= 0 ? Character.digit(bytes[at + 3], 16) : -1;
        if (low < 0) {
            throw new IllegalArgumentException("malformed escape in the id of a task: '" + text + "'");
        }
        return high * 16 + low;
    }

    private static boolean isPlain(int b) {
        return b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '_' || b == '.';
    }

    private static boolean hasForbidden(String text) {
        return text.chars().anyMatch(c -> c == '/' || c == ':' || Character.isWhitespace(c));
    }
}
