package dev.holdfast.archive.pxar;

import org.jspecify.annotations.Nullable;

/**
 * The record types, as the unsigned 64-bit constants that open a header. Each is the {@link NameHash} of a label.
 *
 * <p>Next to a type stands the largest content, in bytes, that a reader takes: the reference's limits, which also bound
 * what a reader allocates for a declared length.
 */
final class RecordType {

    static final long FORMAT_VERSION = 0x730f6c75df16a40dL;
    static final long PRELUDE = 0xe309d79d9f7b771bL;
    static final long ENTRY = 0xd5956474e588acefL;
    static final long ENTRY_V1 = 0x11da850a1c1cceffL;
    static final long FILENAME = 0x16701121063917b3L;
    static final long SYMLINK = 0x27f971e7dbf5dc5fL;
    static final long HARDLINK = 0x51269c8422bd7275L;
    static final long DEVICE = 0x9fc9e906586d5ce9L;
    static final long XATTR = 0x0dab0229b57dcd03L;
    static final long ACL_USER = 0x2ce8540a457d55b8L;
    static final long ACL_GROUP = 0x136e3eceb04c03abL;
    static final long ACL_GROUP_OBJ = 0x10868031e9582876L;
    static final long ACL_DEFAULT = 0xbbbb13415a6896f5L;
    static final long ACL_DEFAULT_USER = 0xc89357b40532cd1fL;
    static final long ACL_DEFAULT_GROUP = 0xf90a8a5816038ffeL;
    static final long FCAPS = 0x2da9dd9db5f7fb67L;
    static final long QUOTA_PROJID = 0xe07540e82f7d1cbbL;
    static final long PAYLOAD = 0x28147a1b0b7c1a25L;
    static final long PAYLOAD_REF = 0x419d3d6bc4ba977eL;
    static final long GOODBYE = 0x2fec4fa642d5731dL;
    static final long PAYLOAD_START_MARKER = 0x834c68c2194a4ed2L;
    static final long PAYLOAD_TAIL_MARKER = 0x6c72b78b984c81b5L;

    /** Not a record: the hash value of the last item of a goodbye table. */
    static final long GOODBYE_TAIL_MARKER = 0xef5eed5b753e1555L;

    static final int HEADER = 16;
    static final int GOODBYE_ITEM = 24;
    static final int ENTRY_CONTENT = 40;
    static final int ENTRY_V1_CONTENT = 32;
    static final int MAX_PATH = 4096;

    /** Name of up to 255 bytes, a NUL, and a value of up to 64 KiB. */
    static final int MAX_XATTR = 255 + (64 << 10);

    private RecordType() {}

    /** The label for messages, or null for a type that does not exist. */
    static @Nullable String name(long type) {
        if (type == FORMAT_VERSION) {
            return "FORMAT_VERSION";
        } else if (type == PRELUDE) {
            return "PRELUDE";
        } else if (type == ENTRY) {
            return "ENTRY";
        } else if (type == ENTRY_V1) {
            return "ENTRY_V1";
        } else if (type == FILENAME) {
            return "FILENAME";
        } else if (type == SYMLINK) {
            return "SYMLINK";
        } else if (type == HARDLINK) {
            return "HARDLINK";
        } else if (type == DEVICE) {
            return "DEVICE";
        } else if (type == PAYLOAD) {
            return "PAYLOAD";
        } else if (type == PAYLOAD_REF) {
            return "PAYLOAD_REF";
        } else if (type == GOODBYE) {
            return "GOODBYE";
        }
        return attributeName(type);
    }

    private static @Nullable String attributeName(long type) {
        if (type == XATTR) {
            return "XATTR";
        } else if (type == ACL_USER) {
            return "ACL_USER";
        } else if (type == ACL_GROUP) {
            return "ACL_GROUP";
        } else if (type == ACL_GROUP_OBJ) {
            return "ACL_GROUP_OBJ";
        } else if (type == ACL_DEFAULT) {
            return "ACL_DEFAULT";
        } else if (type == ACL_DEFAULT_USER) {
            return "ACL_DEFAULT_USER";
        } else if (type == ACL_DEFAULT_GROUP) {
            return "ACL_DEFAULT_GROUP";
        } else if (type == FCAPS) {
            return "FCAPS";
        } else if (type == QUOTA_PROJID) {
            return "QUOTA_PROJID";
        }
        return null;
    }

    /** Smallest and largest content, in bytes, as {@code {min, max}}. */
    static long[] contentBounds(long type) {
        if (type == ENTRY) {
            return exactly(ENTRY_CONTENT);
        } else if (type == ENTRY_V1) {
            return exactly(ENTRY_V1_CONTENT);
        } else if (type == FORMAT_VERSION || type == ACL_GROUP_OBJ || type == QUOTA_PROJID) {
            return exactly(8);
        } else if (type == DEVICE
                || type == PAYLOAD_REF
                || type == ACL_USER
                || type == ACL_GROUP
                || type == ACL_DEFAULT_USER
                || type == ACL_DEFAULT_GROUP) {
            return exactly(16);
        } else if (type == ACL_DEFAULT) {
            return exactly(32);
        } else if (type == FILENAME) {
            return new long[] {2, MAX_PATH + 1};
        } else if (type == SYMLINK) {
            return new long[] {1, MAX_PATH + 1};
        } else if (type == HARDLINK) {
            return new long[] {9, MAX_PATH + 9};
        } else if (type == XATTR || type == FCAPS) {
            return new long[] {0, MAX_XATTR};
        }
        return new long[] {0, Long.MAX_VALUE - HEADER};
    }

    private static long[] exactly(long size) {
        return new long[] {size, size};
    }
}
