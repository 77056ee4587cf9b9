package dev.holdfast.datastore.error;

import org.jspecify.annotations.Nullable;

/** A file's magic, header, length, checksum or content breaks the rules of its format. */
public class FormatException extends DatastoreException {

    private static final long serialVersionUID = 1L;

    private final String file;

    public FormatException(String file, String message) {
        this(file, message, null);
    }

    public FormatException(String file, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.file = file;
    }

    public String file() {
        return file;
    }
}
