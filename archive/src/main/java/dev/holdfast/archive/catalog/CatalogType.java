package dev.holdfast.archive.catalog;

import org.jspecify.annotations.Nullable;

/** The kind of a catalogue entry, with the letter that stands for it. */
public enum CatalogType {
    DIRECTORY('d'),
    FILE('f'),
    SYMLINK('l'),
    HARD_LINK('h'),
    BLOCK_DEVICE('b'),
    CHARACTER_DEVICE('c'),
    FIFO('p'),
    SOCKET('s');

    private final char letter;

    CatalogType(char letter) {
        this.letter = letter;
    }

    public char letter() {
        return letter;
    }

    /** The type of a letter, null if there is none. */
    static @Nullable CatalogType of(int letter) {
        for (CatalogType type : values()) {
            if (type.letter == letter) {
                return type;
            }
        }
        return null;
    }
}
