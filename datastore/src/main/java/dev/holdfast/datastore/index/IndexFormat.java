package dev.holdfast.datastore.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Numbers and places that readers and writers of both index formats share. All integers are little endian. */
final class IndexFormat {

    /** SHA-256({@code Proxmox Backup fixed sized chunk index v1.0}), first 8 bytes, read little endian. */
    static final long FIXED_MAGIC = 0xcd0ffd91ed417f2fL;

    /** SHA-256({@code Proxmox Backup dynamic sized chunk index v1.0}), first 8 bytes, read little endian. */
    static final long DYNAMIC_MAGIC = 0xcdb3ba19a54e911cL;

    static final int HEADER_BYTES = 4096;
    static final int MAGIC_AT = 0;
    static final int UUID_AT = 8;
    static final int UUID_BYTES = 16;
    static final int CREATED_AT = 24;
    static final int CHECKSUM_AT = 32;

    /** Fixed index only. */
    static final int SIZE_AT = 64;

    /** Fixed index only. */
    static final int CHUNK_SIZE_AT = 72;

    /** A record of a fixed index: a digest. */
    static final int FIXED_RECORD_BYTES = 32;

    /** A record of a dynamic index: end offset (8 bytes), digest. */
    static final int DYNAMIC_RECORD_BYTES = 40;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private IndexFormat() {}

    static long getLong(byte[] source, int at) {
        return (long) LONG.get(source, at);
    }

    static void putLong(byte[] target, int at, long value) {
        LONG.set(target, at, value);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
