package dev.holdfast.api.model;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * The SHA-256 that names a chunk: 32 bytes, written as 64 lower-case hex digits.
 *
 * <p>Immutable and safe for use by any thread. Ordered by unsigned bytes, which is also the order of the hex text.
 */
public final class ChunkDigest implements Comparable<ChunkDigest> {

    /** Length of a digest in bytes. */
    public static final int BYTES = 32;

    /** Length of a digest in hex digits. */
    public static final int HEX_DIGITS = 64;

    private static final HexFormat HEX = HexFormat.of();

    private final byte[] value;

    private ChunkDigest(byte[] value) {
        this.value = value;
    }

    /**
     * Copies a digest from exactly 32 bytes.
     *
     * @throws IllegalArgumentException if the length is not 32
     */
    public static ChunkDigest of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a digest has 32 bytes, not " + bytes.length);
        }
        return new ChunkDigest(bytes.clone());
    }

    /**
     * Copies a digest from the 32 bytes that begin at {@code offset}.
     *
     * @throws IndexOutOfBoundsException if the source ends before; a digest is never filled up
     */
    public static ChunkDigest of(byte[] source, int offset) {
        var unused = Objects.checkFromIndexSize(offset, BYTES, source.length);
        return new ChunkDigest(Arrays.copyOfRange(source, offset, offset + BYTES));
    }

    /**
     * Parses 64 hex digits of either case.
     *
     * @throws IllegalArgumentException if the text is not exactly 64 hex digits
     */
    public static ChunkDigest parse(String hex) {
        if (hex.length() != HEX_DIGITS) {
            throw new IllegalArgumentException("a digest has 64 hex digits: '" + hex + "'");
        }
        try {
            return new ChunkDigest(HEX.parseHex(hex));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a digest has 64 hex digits: '" + hex + "'", e);
        }
    }

    /** A copy of the 32 bytes. */
    public byte[] bytes() {
        return value.clone();
    }

    /** Writes the 32 bytes to {@code target} from {@code offset} on. */
    public void copyTo(byte[] target, int offset) {
        System.arraycopy(value, 0, target, offset, BYTES);
    }

    /** The first 16 bits, 0 to 65535: the number of the prefix directory. */
    public int prefix() {
        return ((value[0] & 0xff) << 8) | (value[1] & 0xff);
    }

    @Override
    public int compareTo(ChunkDigest other) {
        return Arrays.compareUnsigned(value, other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkDigest that && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(value);
    }

    /** The 64 lower-case hex digits. */
    @Override
    public String toString() {
        return HEX.formatHex(value);
    }
}
