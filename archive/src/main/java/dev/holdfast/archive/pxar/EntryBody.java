package dev.holdfast.archive.pxar;

/** What closes an entry, and thereby says of which kind it is. */
public sealed interface EntryBody {

    /** A directory; its children follow. */
    record Directory() implements EntryBody {}

    /**
     * A regular file.
     *
     * @param size length of the contents in bytes
     * @param headerOffset position of the PAYLOAD header, which is followed by the contents: in the archive (version 1)
     *     or in the payload stream (version 2)
     */
    record File(long size, long headerOffset) implements EntryBody {}

    /** @param target do not modify */
    record Symlink(byte[] target) implements EntryBody {}

    /**
     * A second name of an earlier regular file.
     *
     * @param distance from the FILENAME header of the target to that of the link, unsigned
     * @param path of the target from the root, without a leading slash; do not modify
     */
    record HardLink(long distance, byte[] path) implements EntryBody {}

    /** A device, block or character by mode. Both numbers are unsigned. */
    record Device(long major, long minor) implements EntryBody {}

    /** A FIFO or socket, by mode. */
    record Special() implements EntryBody {}
}
