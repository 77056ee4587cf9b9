package dev.holdfast.datastore.layout;

import dev.holdfast.api.model.ChunkDigest;

/**
 * Names below {@code .chunks}, as bytes, because they are built and parsed by the million.
 *
 * <p>A chunk is {@code <64 hex>}, a bad chunk {@code <64 hex>.<digit>.bad}, an expected mark {@code <64 hex>.using}.
 */
public final class ChunkName {

    /** What a name in a prefix directory stands for. */
    public enum Kind {
        CHUNK,
        BAD,
        EXPECTED_MARK,
        OTHER
    }

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private ChunkName() {}

    /** The four hex digits of a prefix directory. */
    public static byte[] prefix(int prefix) {
        return new byte[] {
            HEX[(prefix >> 12) & 0xf], HEX[(prefix >> 8) & 0xf], HEX[(prefix >> 4) & 0xf], HEX[prefix & 0xf]
        };
    }

    /** Whether a name is that of a prefix directory: four lower-case hex digits. */
    public static boolean isPrefix(byte[] name) {
        if (name.length != 4) {
            return false;
        }
        for (byte b : name) {
            if (!(b >= '0' && b <= '9') && !(b >= 'a' && b <= 'f')) {
                return false;
            }
        }
        return true;
    }

    /** Writes the 64 hex digits of the 32 bytes at {@code offset} of {@code digest} to {@code target}. */
    public static void writeHex(byte[] digest, int offset, byte[] target, int targetOffset) {
        int out = targetOffset;
        for (int i = 0; i < ChunkDigest.BYTES; i++) {
            byte b = digest[offset + i];
            target[out++] = HEX[(b >> 4) & 0xf];
            target[out++] = HEX[b & 0xf];
        }
    }

    /** {@code abcd/abcd…}: the path of a chunk relative to {@code .chunks}. */
    public static String relative(ChunkDigest digest) {
        String hex = digest.toString();
        return hex.substring(0, 4) + "/" + hex;
    }

    /** The suffix of the {@code n}-th bad copy, {@code n} from 0 to 9. */
    public static String badSuffix(int n) {
        return "." + n + ".bad";
    }

    /** What a directory entry is, by the exact names alone; hex digits of either case are accepted. */
    public static Kind classify(byte[] name) {
        if (name.length < ChunkDigest.HEX_DIGITS) {
            return Kind.OTHER;
        }
        for (int i = 0; i < ChunkDigest.HEX_DIGITS; i++) {
            if (Character.digit(name[i], 16) < 0) {
                return Kind.OTHER;
            }
        }
        int rest = name.length - ChunkDigest.HEX_DIGITS;
        if (rest == 0) {
            return Kind.CHUNK;
        }
        if (rest == 6 && name[64] == '.') {
            if (name[65] >= '0'
                    && name[65] <= '9'
                    && name[66] == '.'
                    && name[67] == 'b'
                    && name[68] == 'a'
                    && name[69] == 'd') {
                return Kind.BAD;
            }
            if (name[65] == 'u' && name[66] == 's' && name[67] == 'i' && name[68] == 'n' && name[69] == 'g') {
                return Kind.EXPECTED_MARK;
            }
        }
        return Kind.OTHER;
    }
}
