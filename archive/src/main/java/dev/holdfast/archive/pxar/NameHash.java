package dev.holdfast.archive.pxar;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash of a name: SipHash-2-4 with the fixed key of the format (the first 16 bytes of the SHA-1 of {@code PROXMOX
 * ARCHIVE FORMAT}). The result is unsigned. The key is public, so equal hashes can be made on purpose.
 */
final class NameHash {

    private static final long K0 = 0x83ac3f1cfbb450dbL;
    private static final long K1 = 0xaa4f1b6879369fbdL;
    private static final VarHandle LITTLE_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private long v0 = K0 ^ 0x736f6d6570736575L;
    private long v1 = K1 ^ 0x646f72616e646f6dL;
    private long v2 = K0 ^ 0x6c7967656e657261L;
    private long v3 = K1 ^ 0x7465646279746573L;

    private NameHash() {}

    static long of(byte[] name) {
        return new NameHash().hash(name);
    }

    private long hash(byte[] name) {
        int whole = name.length & ~7;
        for (int i = 0; i < whole; i += 8) {
            block((long) LITTLE_LONG.get(name, i));
        }
        long last = (long) name.length << 56;
        for (int i = whole; i < name.length; i++) {
            last |= (name[i] & 0xffL) << (8 * (i - whole));
        }
        block(last);
        v2 ^= 0xff;
        round();
        round();
        round();
        round();
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void block(long m) {
        v3 ^= m;
        round();
        round();
        v0 ^= m;
    }

    private void round() {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
    }
}
