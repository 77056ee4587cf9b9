package dev.holdfast.archive.tree;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One line of an exclude list: a glob on paths, as bytes.
 *
 * <ul>
 *   <li>{@code !} in front: what matches is included again;
 *   <li>{@code /} in front: the pattern starts where the list stands; otherwise it may start below any directory;
 *   <li>{@code /} at the end: directories only;
 *   <li>{@code ?} one byte, {@code *} any number of bytes, neither a slash; {@code **} any bytes, slashes too; {@code
 *       **}{@code /} also nothing at all;
 *   <li>{@code [abc]}, {@code [a-z]}, {@code [!a]}, {@code [^a]}: one byte, never a slash;
 *   <li>{@code \} takes the special meaning from the byte behind it.
 * </ul>
 *
 * <p>Matching walks the path once with the set of places in the pattern that are possible, so its cost is the product of
 * both lengths; no pattern, however crafted, makes it explode. Immutable.
 */
public final class ExcludePattern {

    /** Longest pattern, in bytes. */
    public static final int MAX_LENGTH = 4096;

    private enum Kind {
        ONE_OF,
        /** Any bytes but slashes. */
        STAR,
        /** Any bytes. */
        DOUBLE_STAR,
        /** Nothing, or any bytes up to and with a slash; only where a component begins. */
        DIRECTORIES
    }

    /** @param set for {@link Kind#ONE_OF}: 256 bits */
    private record Token(Kind kind, long[] set) {
        boolean has(byte b) {
            int value = b & 0xff;
            return (set[value >>> 6] >>> (value & 63) & 1) != 0;
        }
    }

    private static final long[] NO_SET = new long[0];

    private final byte[] text;
    private final boolean include;
    private final boolean directoriesOnly;
    private final Token[] tokens;

    private ExcludePattern(byte[] text, boolean include, boolean directoriesOnly, List<Token> tokens) {
        this.text = text;
        this.include = include;
        this.directoriesOnly = directoriesOnly;
        this.tokens = tokens.toArray(Token[]::new);
    }

    /** @throws IllegalArgumentException if it is not a pattern; the message says why */
    public static ExcludePattern parse(String pattern) {
        return parse(pattern.getBytes(StandardCharsets.UTF_8));
    }

    /** @throws IllegalArgumentException if it is not a pattern; the message says why */
    public static ExcludePattern parse(byte[] pattern) {
        int from = 0;
        int to = pattern.length;
        boolean include = to > 0 && pattern[0] == '!';
        from += include ? 1 : 0;
        boolean anchored = from < to && pattern[from] == '/';
        while (from < to && pattern[from] == '/') {
            from++;
        }
        boolean directoriesOnly = false;
        while (to > from && pattern[to - 1] == '/' && !(to - 2 >= from && pattern[to - 2] == '\\')) {
            directoriesOnly = true;
            to--;
        }
        if (from == to) {
            throw bad(pattern, "it names nothing");
        }
        if (pattern.length > MAX_LENGTH) {
            throw bad(pattern, "it is longer than " + MAX_LENGTH + " bytes");
        }
        List<Token> tokens = new ArrayList<>();
        if (!anchored) {
            tokens.add(new Token(Kind.DIRECTORIES, NO_SET));
        }
        for (int at = from; at < to; ) {
            at = token(pattern, at, to, at == from || pattern[at - 1] == '/', tokens);
        }
        return new ExcludePattern(pattern.clone(), include, directoriesOnly, tokens);
    }

    /** @return the position behind the token */
    private static int token(byte[] p, int at, int to, boolean begins, List<Token> tokens) {
        byte b = p[at];
        if (b == 0 || b == '\n') {
            throw bad(p, "it holds a NUL or a line break");
        } else if (b == '*') {
            int next = at + 1;
            while (next < to && p[next] == '*') {
                next++;
            }
            if (next - at == 1) {
                tokens.add(new Token(Kind.STAR, NO_SET));
                return next;
            }
            if (begins && next < to && p[next] == '/') {
                tokens.add(new Token(Kind.DIRECTORIES, NO_SET));
                return next + 1;
            }
            tokens.add(new Token(Kind.DOUBLE_STAR, NO_SET));
            return next;
        } else if (b == '?') {
            tokens.add(new Token(Kind.ONE_OF, complement(set((byte) '/'))));
            return at + 1;
        } else if (b == '[') {
            return bracket(p, at, to, tokens);
        } else if (b == '\\') {
            if (at + 1 == to) {
                throw bad(p, "a backslash has nothing behind it");
            }
            tokens.add(new Token(Kind.ONE_OF, set(p[at + 1])));
            return at + 2;
        }
        tokens.add(new Token(Kind.ONE_OF, set(b)));
        return at + 1;
    }

    private static int bracket(byte[] p, int open, int to, List<Token> tokens) {
        int at = open + 1;
        boolean not = at < to && (p[at] == '!' || p[at] == '^');
        at += not ? 1 : 0;
        long[] set = new long[4];
        boolean first = true;
        while (true) {
            if (at >= to) {
                throw bad(p, "a bracket is not closed");
            }
            if (p[at] == ']' && !first) {
                break;
            }
            first = false;
            at += p[at] == '\\' && at + 1 < to ? 1 : 0;
            int low = p[at] & 0xff;
            int high = low;
            if (at + 2 < to && p[at + 1] == '-' && p[at + 2] != ']') {
                high = p[at + 2] & 0xff;
                at += 2;
            }
            for (int value = low; value <= high; value++) {
                set[value >>> 6] |= 1L << (value & 63);
            }
            at++;
        }
        if (not) {
            set = complement(set);
        }
        set['/' >>> 6] &= ~(1L << ('/' & 63));
        tokens.add(new Token(Kind.ONE_OF, set));
        return at + 1;
    }

    private static long[] set(byte b) {
        long[] set = new long[4];
        int value = b & 0xff;
        set[value >>> 6] = 1L << (value & 63);
        return set;
    }

    private static long[] complement(long[] set) {
        return new long[] {~set[0], ~set[1], ~set[2], ~set[3]};
    }

    private static IllegalArgumentException bad(byte[] pattern, String why) {
        return new IllegalArgumentException(
                "not an exclude pattern: '" + new String(pattern, StandardCharsets.UTF_8) + "': " + why);
    }

    /** The line, as it was given. */
    public byte[] text() {
        return text.clone();
    }

    /** Whether what matches is included again rather than excluded. */
    public boolean include() {
        return include;
    }

    /**
     * Whether a path matches.
     *
     * @param path its bytes from {@code offset} on are relative to where the list stands, without a leading slash
     */
    boolean matches(byte[] path, int offset, boolean directory) {
        if (directoriesOnly && !directory) {
            return false;
        }
        int end = tokens.length;
        boolean[] now = new boolean[end + 1];
        boolean[] next = new boolean[end + 1];
        now[0] = true;
        passEmpty(now, true);
        for (int at = offset; at < path.length; at++) {
            byte b = path[at];
            boolean any = false;
            Arrays.fill(next, false);
            for (int i = 0; i < end; i++) {
                if (now[i]) {
                    Token token = tokens[i];
                    boolean stays = token.kind == Kind.DOUBLE_STAR
                            || token.kind == Kind.DIRECTORIES
                            || token.kind == Kind.STAR && b != '/';
                    next[i] |= stays;
                    boolean moves = token.kind == Kind.ONE_OF && token.has(b);
                    next[i + 1] |= moves;
                    any |= stays | moves;
                }
            }
            if (!any) {
                return false;
            }
            passEmpty(next, b == '/');
            boolean[] swap = now;
            now = next;
            next = swap;
        }
        return now[end];
    }

    /** Adds the places that are reached without taking a byte. */
    private void passEmpty(boolean[] places, boolean componentBegins) {
        for (int i = 0; i < tokens.length; i++) {
            if (places[i]) {
                Kind kind = tokens[i].kind;
                places[i + 1] |=
                        kind == Kind.STAR || kind == Kind.DOUBLE_STAR || kind == Kind.DIRECTORIES && componentBegins;
            }
        }
    }

    @Override
    public String toString() {
        return new String(text, StandardCharsets.UTF_8);
    }
}
