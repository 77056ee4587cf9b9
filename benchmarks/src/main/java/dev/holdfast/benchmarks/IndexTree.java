package dev.holdfast.benchmarks;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.index.FixedIndexWriter;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import java.nio.file.Path;
import java.time.Instant;

/** Writes groups of snapshots with one fixed index each. */
final class IndexTree {

    private static final long CHUNK_BYTES = 4L << 20;
    private static final Instant FIRST_SNAPSHOT = Instant.parse("2026-01-01T00:00:00Z");
    private static final int FIRST_VM = 100;

    private final PosixFiles files;
    private final DatastoreLayout layout;

    IndexTree(PosixFiles files, DatastoreLayout layout) {
        this.files = files;
        this.layout = layout;
    }

    /** Gives each group its share of the list, and each snapshot of a group the whole share, as a file of its own. */
    void write(DigestList list, int groups, int snapshots) throws DatastoreException, PosixException {
        for (int group = 0; group < groups; group++) {
            int from = (int) ((long) list.size() * group / groups);
            int to = (int) ((long) list.size() * (group + 1) / groups);
            for (int snapshot = 0; snapshot < snapshots; snapshot++) {
                Path index = snapshotDirectory(group, snapshot).resolve("drive-scsi0.img.fidx");
                try (FixedIndexWriter writer = writer(index, to - from)) {
                    for (int i = from; i < to; i++) {
                        writer.set(i - from, ChunkDigest.of(list.bytes(), DigestList.offset(i)));
                    }
                    writer.finish();
                }
            }
        }
    }

    FixedIndexWriter writer(Path index, long records) throws DatastoreException {
        return FixedIndexWriter.create(
                files,
                index,
                records * CHUNK_BYTES,
                CHUNK_BYTES,
                new FixedIndexWriter.Header(new byte[16], FIRST_SNAPSHOT.getEpochSecond()),
                FileOwner.UNCHANGED);
    }

    /** Makes the directory of a snapshot and what is missing above it; snapshots are a day apart. */
    Path snapshotDirectory(int group, int snapshot) throws PosixException {
        String time = FIRST_SNAPSHOT.plusSeconds(86_400L * snapshot).toString();
        Path path = layout.root();
        for (String name : new String[] {"vm", Integer.toString(FIRST_VM + group), time}) {
            path = path.resolve(name);
            files.makeDirectory(path, DatastoreLayout.DIRECTORY_MODE);
        }
        return path;
    }
}
