package dev.holdfast.archive.catalog;

/**
 * Integers of variable length, seven bits a byte, least significant first; bit 7 says that more follow.
 *
 * <p>A negative number is written as its absolute value with bit 7 set in every byte, and a zero byte behind.
 */
final class VarInt {

    /** Bytes of the longest unsigned number. */
    static final int MAX_UNSIGNED = 10;

    /** Bytes of the longest signed number, −2^63. */
    static final int MAX_SIGNED = 11;

    private static final int MORE = 0x80;

    private VarInt() {}

    /** @return the position behind the number */
    static int putUnsigned(long value, byte[] into, int at) {
        long rest = value;
        int next = at;
        while ((rest & ~0x7fL) != 0) {
            into[next++] = (byte) (rest | MORE);
            rest >>>= 7;
        }
        into[next++] = (byte) rest;
        return next;
    }

    /** @return the position behind the number */
    static int putSigned(long value, byte[] into, int at) {
        if (value >= 0) {
            return putUnsigned(value, into, at);
        }
        int next = putUnsigned(-value, into, at);
        into[next - 1] |= (byte) MORE;
        into[next] = 0;
        return next + 1;
    }

    static int unsignedLength(long value) {
        return value == 0 ? 1 : (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7;
    }
}
