package dev.holdfast.datastore.chunk;

import dev.holdfast.api.model.ChunkDigest;

/** One file that a sweep has come to. A view that is reused: valid only during the call that it is passed to. */
public interface SweepEntry {

    /** What the file is, told from its name. */
    enum Kind {
        CHUNK,
        BAD,
        EXPECTED_MARK
    }

    Kind kind();

    /** The digest in the file's name. */
    ChunkDigest digest();

    /** Writes the 32 bytes of the digest to {@code target} from {@code offset} on. */
    void copyDigest(byte[] target, int offset);

    /** Length of the file in bytes. */
    long size();

    /** Access time, whole Unix seconds. */
    long accessSeconds();

    /** Whether nothing finds the file under its digest: another prefix directory, or a name in upper case. */
    boolean misplaced();

    /** Path for messages. */
    String path();
}
