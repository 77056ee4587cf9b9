package dev.holdfast.archive.pxar;

/**
 * A file that was written and may be given further names.
 *
 * @param path from the root, without a leading slash; do not modify
 * @param filename position of its FILENAME header
 */
public record LinkTarget(byte[] path, long filename) {

    /** Whether a hard link can name it: the format has no room for paths of more than 4096 bytes. */
    public boolean fits() {
        return path.length <= RecordType.MAX_PATH;
    }
}
