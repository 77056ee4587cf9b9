package dev.holdfast.engine.job;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.archive.catalog.CatalogWriter;
import dev.holdfast.archive.chunk.BuzhashChunker;
import dev.holdfast.archive.pxar.PxarEncoder;
import dev.holdfast.archive.tree.ArchiveListener;
import dev.holdfast.archive.tree.ArchiveOptions;
import dev.holdfast.archive.tree.ArchiveProblem;
import dev.holdfast.archive.tree.ArchiveSummary;
import dev.holdfast.archive.tree.TreeArchiver;
import dev.holdfast.datastore.snapshot.BackupSession;
import dev.holdfast.datastore.task.TaskContext;
import dev.holdfast.posix.TreeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Turns a directory tree into an archive and a catalogue of a running backup. One thread walks, reads and cuts; all cores
 * hash, compress and store.
 */
final class TreeWriter {

    private final BackupSession session;
    private final KeySource.Key key;
    private final EntryWarnings warnings;
    private final TaskContext task;

    /** What was written: the tree, and the chunks of archive and catalogue. */
    record Counts(ArchiveSummary summary, ChunkWriter.Counts archive, ChunkWriter.Counts catalog) {}

    TreeWriter(BackupSession session, KeySource.Key key, EntryWarnings warnings, TaskContext task) {
        this.session = session;
        this.key = key;
        this.warnings = warnings;
        this.task = task;
    }

    Counts write(TreeFiles files, Path source, ArchiveName name, ArchiveOptions options) throws IOException {
        ChunkWriter chunks = new ChunkWriter(session, key.contentKey());
        // How much there is to read is known when everything has been read.
        task.progress("backup", 0, -1, "bytes");
        try (StreamWriter archive = stream(name, chunks, BuzhashChunker.ARCHIVE_AVERAGE);
                StreamWriter catalog = stream(ArchiveName.CATALOG, chunks, BuzhashChunker.CATALOG_AVERAGE)) {
            CatalogWriter entries = new CatalogWriter(catalog.out());
            entries.startArchive(name.text().getBytes(StandardCharsets.US_ASCII));
            ArchiveSummary summary = new TreeArchiver(
                            PxarEncoder.version1(archive.out()), entries, options, new Listener())
                    .archive(files, source);
            entries.finish();
            return new Counts(summary, archive.finish(key.mode()), catalog.finish(key.mode()));
        }
    }

    private StreamWriter stream(ArchiveName name, ChunkWriter chunks, int average) throws IOException {
        return new StreamWriter(session.dynamicArchive(name), chunks, average, task);
    }

    private final class Listener implements ArchiveListener {

        @Override
        public void problem(ArchiveProblem problem, String path, String detail) {
            warnings.add(problem, path, detail);
        }

        @Override
        public void progress(long entries, long bytes) throws IOException {
            task.checkAbort();
            task.figure("entries", entries);
            task.progress("backup", bytes, -1, "bytes");
        }
    }
}
