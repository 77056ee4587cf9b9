package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.datastore.blob.CryptConfig;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.task.TaskContext;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Turns an image into chunks and a fixed index of a running backup. Hashing, compressing and storing run on all cores; a few
 * chunks per core are in memory.
 */
final class ImageWriter {

    /** The chunk size of images, in bytes. */
    static final int CHUNK_BYTES = 4 * 1024 * 1024;

    private final BackupSession session;
    private final ChunkWriter chunks;

    private record Record(long number, ChunkWriter.Stored chunk) {}

    /** @param contentKey encrypts chunks; null for plain ones */
    ImageWriter(BackupSession session, @Nullable CryptConfig contentKey) {
        this.session = session;
        this.chunks = new ChunkWriter(session, contentKey);
    }

    /** Writes the whole image. */
    ChunkWriter.Counts write(ImageSource source, ArchiveName archive, CryptMode mode, TaskContext task)
            throws DatastoreException {
        ChunkWriter.Counts counts = new ChunkWriter.Counts();
        BlockingQueue<byte[]> buffers = new ArrayBlockingQueue<>(OrderedPipeline.window() + 1);
        for (int i = 0; i <= OrderedPipeline.window(); i++) {
            buffers.add(new byte[CHUNK_BYTES]);
        }
        long size = source.size();
        task.progress("backup", 0, size, "bytes");
        try (BackupSession.FixedArchive index = session.fixedArchive(archive, size, CHUNK_BYTES);
                OrderedPipeline<Record> pipeline = new OrderedPipeline<>("chunk", task, record -> {
                    index.set(record.number(), record.chunk().digest());
                    counts.add(record.chunk());
                    task.progress("backup", counts.bytes, size, "bytes");
                })) {
            for (long position = 0; position < size; position += CHUNK_BYTES) {
                task.checkAbort();
                int length = (int) Math.min(CHUNK_BYTES, size - position);
                long record = position / CHUNK_BYTES;
                // There is one buffer more than items under way, so one is free here or about to be.
                byte[] buffer = ChunkWriter.taken(buffers);
                source.read(position, buffer, length);
                pipeline.submit(() -> {
                    try {
                        return new Record(record, chunks.store(buffer, length));
                    } finally {
                        buffers.add(buffer);
                    }
                });
            }
            pipeline.finish();
            source.checkUnchanged(task);
            index.finish(mode);
        }
        return counts;
    }
}
