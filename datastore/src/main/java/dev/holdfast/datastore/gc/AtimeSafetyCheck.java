package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.blob.BlobEncoder;
import dev.holdfast.datastore.chunk.ChunkStat;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.chunk.TouchOutcome;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.error.SafetyException;
import dev.holdfast.datastore.task.TaskAbortedException;
import dev.holdfast.datastore.task.TaskContext;
import java.time.Duration;
import java.util.Optional;

/**
 * Proves, before anything rests on it, that a store keeps the access times that it is told to keep. There are filesystems
 * and mounts where setting them succeeds and does nothing; there every chunk in use would look old.
 *
 * <p>The probe is the chunk of 4 MiB of zeros. It is made once and then stays, in use by this check; where it exists the
 * check needs no free space.
 */
public final class AtimeSafetyCheck {

    /** The digest of 4 MiB of zeros. */
    public static final ChunkDigest PROBE =
            ChunkDigest.parse("bb9f8df61474d25e71fa00722318cd387396ca1736605e1248821cc0de3d3af8");

    private static final int PROBE_BYTES = 4 * 1024 * 1024;

    /** Longer than the coarsest grain of access times on filesystems that keep them to the second. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final int ATTEMPTS = 2;

    private final String store;
    private final ChunkStore chunks;
    private final Sleeper sleeper;

    /** @param store the store's name, for messages */
    public AtimeSafetyCheck(String store, ChunkStore chunks, Sleeper sleeper) {
        this.store = store;
        this.chunks = chunks;
        this.sleeper = sleeper;
    }

    /**
     * Checks, in about a second.
     *
     * @return the access time that the probe was given last, Unix seconds
     * @throws SafetyException if a touch does not change the access time, or the probe cannot be made or touched
     */
    public long check(TaskContext task) throws DatastoreException {
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                task.checkAbort();
                insertProbe(task);
                sleeper.sleep(PAUSE);
                Optional<ChunkStat> before = chunks.stat(PROBE);
                touchProbe(task);
                Optional<ChunkStat> after = chunks.stat(PROBE);
                if (before.isPresent()
                        && after.isPresent()
                        && before.get().inode() == after.get().inode()) {
                    compare(before.get(), after.get());
                    return after.get().accessSeconds();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TaskAbortedException();
        } catch (TaskAbortedException | SafetyException e) {
            throw e;
        } catch (DatastoreException e) {
            throw new SafetyException(
                    store,
                    "whether datastore " + store + " keeps access times could not be checked with chunk " + PROBE + ": "
                            + e.getMessage() + "; nothing has been removed",
                    e);
        }
        throw new SafetyException(
                store,
                "whether datastore " + store + " keeps access times could not be checked: chunk " + PROBE
                        + " was replaced during the check, twice; nothing has been removed");
    }

    /** What a real run would add to the store: the encoded probe. */
    static int encodedProbeBytes() {
        return new BlobEncoder(true, null)
                .encode(new byte[PROBE_BYTES], 0, PROBE_BYTES)
                .size();
    }

    private void insertProbe(TaskContext task) throws DatastoreException {
        Optional<ChunkStat> existing = chunks.stat(PROBE);
        if (existing.isPresent() && existing.get().size() > 0) {
            touchProbe(task);
        } else {
            chunks.insert(PROBE, new BlobEncoder(true, null).encode(new byte[PROBE_BYTES], 0, PROBE_BYTES));
        }
    }

    private void touchProbe(TaskContext task) throws DatastoreException {
        // If it is absent now, the stat that follows says so.
        TouchOutcome outcome = chunks.touch(new SingleDigest(PROBE), task);
        if (outcome.touched() + outcome.absent().length != 1) {
            throw new DatastoreException("the store did not say whether it touched chunk " + PROBE);
        }
    }

    private void compare(ChunkStat before, ChunkStat after) throws SafetyException {
        boolean grew = after.accessSeconds() > before.accessSeconds()
                || (after.accessSeconds() == before.accessSeconds() && after.accessNanos() > before.accessNanos());
        if (!grew) {
            throw new SafetyException(
                    store,
                    "the filesystem of datastore " + store + " does not keep access times: a touch of chunk " + PROBE
                            + " did not change it. Garbage collection would remove chunks in use. Move the store to a"
                            + " filesystem, or mount it with options, that lets access times be set; nothing has been"
                            + " removed");
        }
    }
}
