package dev.holdfast.archive;

import java.io.IOException;

/** An archive or catalogue breaks the rules of its format: damaged, cut off, hostile, or of a foreign kind. */
public final class ArchiveFormatException extends IOException {

    private static final long serialVersionUID = 1L;

    private final long offset;
    private final String reason;

    /**
     * @param offset position in the stream, in bytes, at which the fault was seen
     * @param reason what is wrong, without a full stop
     */
    public ArchiveFormatException(long offset, String reason) {
        super("malformed archive at byte " + offset + ": " + reason);
        this.offset = offset;
        this.reason = reason;
    }

    /** Position in the stream at which the fault was seen. */
    public long offset() {
        return offset;
    }

    public String reason() {
        return reason;
    }
}
