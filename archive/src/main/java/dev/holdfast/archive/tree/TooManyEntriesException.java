package dev.holdfast.archive.tree;

import java.io.IOException;

/** A tree holds more names at a time than the options allow. */
public final class TooManyEntriesException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String path;
    private final int limit;

    public TooManyEntriesException(String path, int limit) {
        super(path + ": more than " + limit + " entries in this directory and those above it; raise the limit of"
                + " entries, or exclude the directory");
        this.path = path;
        this.limit = limit;
    }

    public String path() {
        return path;
    }

    public int limit() {
        return limit;
    }
}
