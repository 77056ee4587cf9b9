package dev.holdfast.datastore.index;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.WritableFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The file below both index writers: made under a temporary name beside the final one, filled through a buffer that joins
 * neighbouring records, completed by the header and a rename. Not synced: at sync level <i>filesystem</i> the end of the
 * backup does that. One thread at a time.
 */
final class IndexOutput implements AutoCloseable {

    private static final int FILE_MODE = 0644;
    private static final int BUFFER_BYTES = 64 * 1024;

    private final PosixFiles files;
    private final Path path;
    private final Path temporary;
    private final byte[] header = new byte[IndexFormat.HEADER_BYTES];
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final WritableFile file;
    private long bufferAt = IndexFormat.HEADER_BYTES;
    private boolean closed;

    /**
     * @param path final name
     * @param suffix what replaces the last extension in the temporary name, for example {@code .tmp_fidx}
     */
    IndexOutput(PosixFiles files, Path path, String suffix, FileOwner owner) throws DatastoreException {
        this.files = files;
        this.path = path;
        String name = String.valueOf(path.getFileName());
        int dot = name.lastIndexOf('.');
        this.temporary = path.resolveSibling((dot < 0 ? name : name.substring(0, dot)) + suffix);
        this.file = create(files, temporary, path);
        try {
            if (!owner.equals(FileOwner.UNCHANGED)) {
                file.changeOwner(owner.uid(), owner.gid());
            }
            file.write(0, ByteBuffer.wrap(header));
        } catch (PosixException e) {
            close();
            throw failed(path, e);
        }
    }

    private static WritableFile create(PosixFiles files, Path temporary, Path path) throws DatastoreException {
        try {
            // A file of this name is what a crash has left: whoever writes here holds the snapshot's lock.
            files.unlink(temporary);
            return files.create(temporary, FILE_MODE);
        } catch (PosixException e) {
            throw failed(path, e);
        }
    }

    private static DatastoreException failed(Path path, PosixException e) {
        return new DatastoreException("index " + path + " cannot be written: " + e.getMessage(), e);
    }

    /** Sets the common part of the header. */
    void header(long magic, FixedIndexWriter.Header values) {
        IndexFormat.putLong(header, IndexFormat.MAGIC_AT, magic);
        System.arraycopy(values.uuid(), 0, header, IndexFormat.UUID_AT, IndexFormat.UUID_BYTES);
        IndexFormat.putLong(header, IndexFormat.CREATED_AT, values.createdSeconds());
    }

    void headerLong(int at, long value) {
        IndexFormat.putLong(header, at, value);
    }

    /** Where a record of {@code length} bytes is to be written that belongs at {@code position}; one call, one record. */
    ByteBuffer record(long position, int length) throws DatastoreException {
        requireOpen();
        if (position != bufferAt + buffer.position() || buffer.remaining() < length) {
            flush();
            bufferAt = position;
        }
        return buffer;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("index " + path + " is finished or closed");
        }
    }

    private void flush() throws DatastoreException {
        int count = buffer.position();
        if (count == 0) {
            return;
        }
        try {
            file.write(bufferAt, buffer.flip());
        } catch (PosixException e) {
            throw failed(path, e);
        }
        bufferAt += count;
        buffer.clear();
    }

    /** Writes what is buffered and sets the exact length; the records can be read under {@link #temporary} then. */
    void complete(long length) throws DatastoreException {
        requireOpen();
        flush();
        try {
            file.truncate(length);
        } catch (PosixException e) {
            throw failed(path, e);
        }
    }

    Path temporary() {
        return temporary;
    }

    /** Writes the header with this checksum and gives the file its final name. */
    void publish(ChunkDigest checksum) throws DatastoreException {
        checksum.copyTo(header, IndexFormat.CHECKSUM_AT);
        try {
            file.write(0, ByteBuffer.wrap(header));
            file.close();
            files.rename(temporary, path);
        } catch (PosixException e) {
            throw failed(path, e);
        }
        closed = true;
    }

    /** Removes the temporary file unless it was published. Best effort: the next writer of this index replaces it. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        quietly(file::close);
        // Nothing is lost if this fails: a temporary index is never read, and its next writer unlinks it.
        quietly(() -> files.unlink(temporary));
    }

    @FunctionalInterface
    private interface Step {
        void run() throws PosixException;
    }

    private static void quietly(Step step) {
        try {
            step.run();
        } catch (PosixException e) {
            // The caller is giving up this file already.
        }
    }
}
