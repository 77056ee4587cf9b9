package dev.holdfast.datastore.snapshot;

import dev.holdfast.api.config.SyncLevel;
import dev.holdfast.datastore.chunk.ChunkStore;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.datastore.lock.DirectoryLocks;
import dev.holdfast.datastore.lock.ProcessLock;
import dev.holdfast.posix.AtomicFile.Durability;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * What this room needs of an open store. Made once by whoever opens the store.
 *
 * @param name the store's name, for messages
 * @param layout where things lie
 * @param files the door to the operating system
 * @param owner who gets what is made as root
 * @param clock time for index headers
 * @param chunks where chunks lie
 * @param locks group, snapshot and manifest locks
 * @param processLock the store's lock file; null for a store that is open for reading only
 * @param syncLevel how far a finished backup must have reached the disk
 */
public record SnapshotContext(
        String name,
        DatastoreLayout layout,
        PosixFiles files,
        FileOwner owner,
        Clock clock,
        ChunkStore chunks,
        DirectoryLocks locks,
        @Nullable ProcessLock processLock,
        SyncLevel syncLevel) {

    public AccessMode mode() {
        return processLock == null ? AccessMode.READ_ONLY : AccessMode.READ_WRITE;
    }

    StoreFiles storeFiles() {
        return new StoreFiles(files, owner);
    }

    /** The process lock of a store that may be written. */
    ProcessLock writerLock(Path changed) throws DatastoreException {
        ProcessLock lock = processLock;
        if (lock == null) {
            throw new DatastoreException("datastore '" + name + "' is open for reading only; cannot change " + changed);
        }
        return lock;
    }

    void requireWritable(Path changed) throws DatastoreException {
        var unused = writerLock(changed);
    }

    /** A manifest or owner file is the one whose loss loses a snapshot or group: it is synced unless the level is none. */
    Durability manifestDurability() {
        return syncLevel == SyncLevel.NONE ? Durability.NONE : Durability.FSYNC;
    }
}
