package dev.holdfast.archive.pxar;

/**
 * An extended attribute.
 *
 * @param name without the closing NUL; no NUL within; do not modify
 * @param value may be empty and may hold any byte; do not modify
 */
public record Xattr(byte[] name, byte[] value) {

    /** Name, NUL and value together are at most this long, in bytes. */
    public static final int MAX_SIZE = RecordType.MAX_XATTR;
}
