package dev.holdfast.api.model;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of one run of a job: {@code UPID:node:pid:pstart:task:start:type:id:owner:}.
 *
 * @param node short host name
 * @param process the process that runs it
 * @param task counter inside the process, from 0; an unsigned number of 64 bits
 * @param startTime Unix seconds
 * @param work what is run, and for whom
 */
public record Upid(String node, Process process, long task, long startTime, Work work) {

    private static final Pattern FORM =
            Pattern.compile("UPID:([a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?):([0-9A-Fa-f]{8})"
                    + ":([0-9A-Fa-f]{8,9}):([0-9A-Fa-f]{8,16}):([0-9A-Fa-f]{8}):([^:\\s]+):([^:\\s]*):([^:\\s]+):");
    private static final Pattern NODE = Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?");
    private static final Pattern WORD = Pattern.compile("[^:/\\s]+");

    /**
     * A process, told apart from a later one with the same number.
     *
     * @param pid process id
     * @param start clock ticks from boot to its start
     */
    public record Process(long pid, long start) {}

    /**
     * @param type worker type, for example {@code garbage_collection}
     * @param id what it works on, not escaped; may be empty
     * @param owner {@code user@realm} or {@code user@realm!token}
     */
    public record Work(String type, String id, String owner) {
        public Work {
            require(WORD, "worker type", type);
            require(WORD, "task owner", owner);
            if (!StandardCharsets.UTF_8.newEncoder().canEncode(id)) {
                throw new IllegalArgumentException("a worker id must be valid Unicode");
            }
        }
    }

    public Upid {
        require(NODE, "node", node);
        requireBelow("pid", process.pid(), 32);
        requireBelow("process start", process.start(), 36);
        requireBelow("start time", startTime, 32);
    }

    /**
     * Parses, numbers in either case.
     *
     * @throws IllegalArgumentException for any text that is not exactly of the form, or whose id is escaped wrongly
     */
    public static Upid parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("not a task id: '" + text + "'");
        }
        return new Upid(
                m.group(1),
                new Process(hex(m.group(2)), hex(m.group(3))),
                hex(m.group(4)),
                hex(m.group(5)),
                new Work(m.group(6), unescape(m.group(7)), m.group(8)));
    }

    /** The text form, also the name of the task's log file. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "UPID:%s:%08X:%08X:%08X:%08X:%s:%s:%s:",
                node,
                process.pid(),
                process.start(),
                task,
                startTime,
                work.type(),
                escape(work.id()),
                work.owner());
    }

    /** Escapes a worker id as unit names are: {@code /} becomes {@code -}, other special bytes {@code \xNN}. */
    public static String escape(String id) {
        StringBuilder text = new StringBuilder();
        for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c == '/') {
                text.append('-');
            } else if (isPlain(c) && !(c == '.' && text.isEmpty())) {
                text.append(c);
            } else {
                text.append(String.format(Locale.ROOT, "\\x%02x", (int) c));
            }
        }
        return text.toString();
    }

    /**
     * Reads an escaped worker id.
     *
     * @throws IllegalArgumentException for a cut or wrong escape, or bytes that are not UTF-8
     */
    public static String unescape(String text) {
        byte[] in = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < in.length; i++) {
            if (in[i] == '-') {
                out.write('/');
            } else if (in[i] == '\\') {
                if (i + 3 >= in.length || in[i + 1] != 'x') {
                    throw new IllegalArgumentException("a wrong escape in '" + text + "'");
                }
                int high = Character.digit(in[i + 2], 16);
                int low = Character.digit(in[i + 3], 16);
                if (high < 0 || low < 0) {
                    throw new IllegalArgumentException("a wrong escape in '" + text + "'");
                }
                out.write(high << 4 | low);
                i += 3;
            } else {
                out.write(in[i]);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(out.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not UTF-8 behind the escapes: '" + text + "'", e);
        }
    }

    private static boolean isPlain(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    }

    private static long hex(String digits) {
        return Long.parseUnsignedLong(digits, 16);
    }

    private static void require(Pattern pattern, String what, String text) {
        if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException(what + " must match " + pattern.pattern() + ": '" + text + "'");
        }
    }

    private static void requireBelow(String what, long value, int bits) {
        if (value < 0 || value >>> bits != 0) {
            throw new IllegalArgumentException(what + " must fit into " + bits + " bits: " + value);
        }
    }
}
