package dev.holdfast.archive.pxar;

import org.jspecify.annotations.Nullable;

/** What a name may be. */
final class Names {

    private Names() {}

    /** @return what is wrong with a name, null if nothing */
    static @Nullable String fault(byte[] name) {
        if (name.length == 0) {
            return "the name is empty";
        }
        if (name.length > RecordType.MAX_PATH) {
            return "the name is longer than 4096 bytes";
        }
        if (name[0] == '.' && (name.length == 1 || name.length == 2 && name[1] == '.')) {
            return "the name is . or ..";
        }
        for (byte b : name) {
            if (b == '/' || b == 0) {
                return "the name holds a slash or a NUL";
            }
        }
        return null;
    }
}
