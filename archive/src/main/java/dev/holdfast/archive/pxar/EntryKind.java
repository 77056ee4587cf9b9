package dev.holdfast.archive.pxar;

/** What an entry is. */
public enum EntryKind {
    DIRECTORY,
    FILE,
    SYMLINK,
    HARD_LINK,
    BLOCK_DEVICE,
    CHARACTER_DEVICE,
    FIFO,
    SOCKET
}
