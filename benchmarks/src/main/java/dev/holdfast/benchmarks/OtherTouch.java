package dev.holdfast.benchmarks;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.TouchBatch;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A store whose batches are touched in a way that production does not have, for comparison; everything else goes to the
 * store itself. It knows no bad copies, takes no locks and honours no abort, which favours it. For use by one thread.
 */
final class OtherTouch extends ForwardingStore {

    private static final int PREFIX_DIGITS = 4;

    private final PosixFiles files;
    private final Path chunks;
    private final boolean listing;
    private final byte[] path;
    private final byte[] hex = new byte[ChunkDigest.HEX_DIGITS];
    private final byte[] digest = new byte[ChunkDigest.BYTES];

    /** @param listing list each directory and touch by absolute path, or open it and touch relative to it */
    OtherTouch(ChunkStore store, PosixFiles files, Path chunks, boolean listing) {
        super(store);
        this.files = files;
        this.chunks = chunks;
        this.listing = listing;
        path = (chunks + "/0000/" + "0".repeat(ChunkDigest.HEX_DIGITS)).getBytes(StandardCharsets.UTF_8);
    }

    /** Reads the whole listing of every prefix directory. */
    static void listAll(PosixFiles files, Path chunks) throws PosixException {
        for (int prefix = 0; prefix < DatastoreLayout.PREFIXES; prefix++) {
            try (DirectoryHandle handle = files.openDirectory(prefixPath(chunks, prefix))) {
                while (handle.next() != null) {
                    // Reading is all that is wanted: it brings the directory into the kernel's cache.
                }
            }
        }
    }

    private static Path prefixPath(Path chunks, int prefix) {
        return chunks.resolve(new String(ChunkName.prefix(prefix), StandardCharsets.US_ASCII));
    }

    @Override
    public TouchOutcome touch(TouchBatch batch, TaskContext task) throws DatastoreException {
        if (batch.size() == 1) {
            return super.touch(batch, task);
        }
        int[] order = byPrefix(batch);
        long touched = 0;
        long opened = 0;
        int[] absent = new int[0];
        try {
            for (int from = 0; from < order.length; ) {
                int prefix = batch.prefix(order[from]);
                int to = from;
                while (to < order.length && batch.prefix(order[to]) == prefix) {
                    to++;
                }
                opened++;
                try (DirectoryHandle handle = files.openDirectory(prefixPath(chunks, prefix))) {
                    while (listing && handle.next() != null) {
                        // Reading is all that is wanted: it brings the directory into the kernel's cache.
                    }
                    for (; from < to; from++) {
                        if (listing ? touchByPath(batch, order[from]) : touchRelative(handle, batch, order[from])) {
                            touched++;
                        } else {
                            absent = Arrays.copyOf(absent, absent.length + 1);
                            absent[absent.length - 1] = order[from];
                        }
                    }
                }
            }
        } catch (PosixException e) {
            throw new DatastoreException("a touch failed: " + e.getMessage(), e);
        }
        Arrays.sort(absent);
        return new TouchOutcome(touched, absent, 0, opened);
    }

    private boolean touchByPath(TouchBatch batch, int position) throws PosixException {
        batch.copyDigest(position, digest, 0);
        int at = path.length - hex.length;
        ChunkName.writeHex(digest, 0, path, at);
        System.arraycopy(path, at, path, at - 1 - PREFIX_DIGITS, PREFIX_DIGITS);
        return files.touch(path);
    }

    private boolean touchRelative(DirectoryHandle directory, TouchBatch batch, int position) throws PosixException {
        batch.copyDigest(position, digest, 0);
        ChunkName.writeHex(digest, 0, hex, 0);
        return directory.touch(hex);
    }

    private static int[] byPrefix(TouchBatch batch) {
        int[] next = new int[DatastoreLayout.PREFIXES + 1];
        for (int i = 0; i < batch.size(); i++) {
            next[batch.prefix(i) + 1]++;
        }
        for (int i = 1; i < next.length; i++) {
            next[i] += next[i - 1];
        }
        int[] order = new int[batch.size()];
        for (int i = 0; i < order.length; i++) {
            order[next[batch.prefix(i)]++] = i;
        }
        return order;
    }
}
