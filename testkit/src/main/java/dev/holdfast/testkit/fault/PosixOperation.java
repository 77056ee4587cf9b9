package dev.holdfast.testkit.fault;

/** What a plan can count and fail; calls by path and by name in an open directory count alike. */
public enum PosixOperation {
    OPEN_DIRECTORY,
    OPEN_FOR_READING,
    CREATE,
    OPEN_LOCK,
    MAKE_DIRECTORY,
    /** Of a path, a name, or an open file or directory. */
    STAT,
    TOUCH,
    CHANGE_OWNER,
    CHANGE_MODE,
    UNLINK,
    REMOVE_DIRECTORY,
    /** The path to match is {@code FROM -> TO}. */
    RENAME,
    /** The path to match is {@code EXISTING -> NAME}. */
    LINK,
    TRUNCATE,
    SYNC_FILESYSTEM,
    SPACE,
    ACCOUNT,
    READ,
    WRITE,
    FSYNC,
    FSYNC_DIRECTORY,
    /** One entry of a listing. */
    LIST,
    FLOCK,
    RECORD_LOCK,
    /** Of a file that was open for writing. */
    CLOSE
}
