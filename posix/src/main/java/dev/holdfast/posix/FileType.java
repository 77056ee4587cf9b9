package dev.holdfast.posix;

/** The type of a directory entry or inode. */
public enum FileType {
    REGULAR,
    DIRECTORY,
    SYMLINK,
    FIFO,
    SOCKET,
    CHARACTER_DEVICE,
    BLOCK_DEVICE,
    UNKNOWN;

    private static final int S_IFMT = 0170000;

    /** The type that the upper bits of a {@code st_mode} name. */
    public static FileType ofMode(int mode) {
        return switch (mode & S_IFMT) {
            case 0100000 -> REGULAR;
            case 0040000 -> DIRECTORY;
            case 0120000 -> SYMLINK;
            case 0010000 -> FIFO;
            case 0140000 -> SOCKET;
            case 0020000 -> CHARACTER_DEVICE;
            case 0060000 -> BLOCK_DEVICE;
            default -> UNKNOWN;
        };
    }
}
