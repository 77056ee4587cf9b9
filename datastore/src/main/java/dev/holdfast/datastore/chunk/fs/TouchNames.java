package dev.holdfast.datastore.chunk.fs;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.PosixException;
import java.nio.charset.StandardCharsets;

/**
 * Builds the names of chunks and of their bad copies in buffers that are reused, behind a fixed base: nothing is allocated
 * per touch. One thread at a time.
 */
final class TouchNames {

    private static final int BAD_SUFFIX = 6;
    private static final int BAD_COPIES = 10;

    private final int prefixAt;
    private final boolean withPrefix;
    private final byte[] name;
    private final byte[] badName;
    private final byte[] digest = new byte[ChunkDigest.BYTES];

    private TouchNames(byte[] base, boolean withPrefix) {
        this.withPrefix = withPrefix;
        this.prefixAt = base.length;
        int hexAt = hexAt();
        name = new byte[hexAt + ChunkDigest.HEX_DIGITS];
        badName = new byte[name.length + BAD_SUFFIX];
        System.arraycopy(base, 0, name, 0, base.length);
        if (withPrefix) {
            name[prefixAt + 4] = '/';
        }
    }

    /** Names {@code <64 hex>}, for use inside a prefix directory. */
    static TouchNames insidePrefix() {
        return new TouchNames(new byte[0], false);
    }

    /** Names {@code <base>abcd/<64 hex>}. */
    static TouchNames below(String base) {
        return new TouchNames(base.getBytes(StandardCharsets.UTF_8), true);
    }

    private int hexAt() {
        return withPrefix ? prefixAt + 5 : prefixAt;
    }

    /** The name of one chunk of a batch; the buffer is overwritten by the next call. */
    byte[] name(TouchBatch batch, int position) {
        batch.copyDigest(position, digest, 0);
        ChunkName.writeHex(digest, 0, name, hexAt());
        if (withPrefix) {
            System.arraycopy(name, hexAt(), name, prefixAt, 4);
        }
        return name;
    }

    /** The part of the current name before the last slash. */
    byte[] prefixDirectory() {
        return java.util.Arrays.copyOf(name, prefixAt + 4);
    }

    String text() {
        return new String(name, StandardCharsets.UTF_8);
    }

    /** Touches the bad copies of the chunk that {@link #name} was last called for. @return whether there are any */
    boolean touchBad(DirectoryHandle directory) throws PosixException {
        System.arraycopy(name, 0, badName, 0, name.length);
        badName[name.length] = '.';
        badName[name.length + 2] = '.';
        badName[name.length + 3] = 'b';
        badName[name.length + 4] = 'a';
        badName[name.length + 5] = 'd';
        boolean any = false;
        for (int n = 0; n < BAD_COPIES; n++) {
            badName[name.length + 1] = (byte) ('0' + n);
            any |= directory.touch(badName);
        }
        return any;
    }
}
