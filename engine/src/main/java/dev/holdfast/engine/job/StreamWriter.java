package dev.holdfast.engine.job;

import dev.holdfast.api.model.CryptMode;
import dev.holdfast.archive.chunk.BuzhashChunker;
import dev.holdfast.archive.chunk.ChunkingOutputStream;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.task.TaskContext;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Turns what is written to a stream into chunks and a dynamic index of a running backup. The writer's thread cuts; hashing,
 * compressing and storing run on all cores. One thread at a time.
 */
final class StreamWriter implements AutoCloseable {

    /** Plain bytes under way per core, besides one chunk that may be larger: a few chunks of usual size. */
    private static final long BYTES_PER_CORE = 16L << 20;

    /** Archives are written in records of a few bytes; what is gathered before it is looked through for a cut. */
    private static final int BUFFER = 1 << 16;

    private final BackupSession.DynamicArchive index;
    private final ChunkWriter chunks;
    private final OrderedPipeline<ChunkWriter.Stored> pipeline;
    private final ChunkWriter.Counts counts = new ChunkWriter.Counts();
    private final ChunkingOutputStream cutter;
    private final OutputStream out;
    private long underWay;

    /** @param average target size of chunks, in bytes */
    StreamWriter(BackupSession.DynamicArchive index, ChunkWriter chunks, int average, TaskContext task) {
        this.index = index;
        this.chunks = chunks;
        this.pipeline = new OrderedPipeline<>("chunk", task, stored -> {
            index.add(stored.digest(), stored.length());
            underWay -= stored.length();
            counts.add(stored);
        });
        this.cutter = new ChunkingOutputStream(new BuzhashChunker(average), (buffer, length, start) -> {
            submit(Arrays.copyOf(buffer, length));
        });
        this.out = new BufferedOutputStream(cutter, BUFFER);
    }

    /** What is written here is stored. Closed by {@link #finish}. */
    OutputStream out() {
        return out;
    }

    private void submit(byte[] chunk) throws DatastoreException {
        long limit = BYTES_PER_CORE * OrderedPipeline.cores();
        while (underWay + chunk.length > limit) {
            if (!pipeline.deliverOldest()) {
                break;
            }
        }
        underWay += chunk.length;
        pipeline.submit(() -> chunks.store(chunk, chunk.length));
    }

    /** Stores the rest and completes the index. */
    ChunkWriter.Counts finish(CryptMode mode) throws IOException {
        out.flush();
        cutter.close();
        pipeline.finish();
        index.finish(mode);
        return counts;
    }

    @Override
    public void close() {
        pipeline.close();
        index.close();
    }
}
