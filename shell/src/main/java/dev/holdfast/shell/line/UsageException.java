package dev.holdfast.shell.line;

/** The words make no command. The message is one line, with a hint. */
public final class UsageException extends Exception {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
