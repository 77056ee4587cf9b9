package dev.holdfast.testkit.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.posix.DirectoryEntry;
import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.ReadableFile;
import org.jspecify.annotations.Nullable;

/** An open directory whose calls pass the gate with their whole path. */
final class FaultyDirectory implements DirectoryHandle {

    private final DirectoryHandle directory;
    private final FaultGate gate;

    FaultyDirectory(DirectoryHandle directory, FaultGate gate) {
        this.directory = directory;
        this.gate = gate;
    }

    private String pathOf(byte[] name) {
        return directory.path() + "/" + new String(name, UTF_8);
    }

    @Override
    public String path() {
        return directory.path();
    }

    @Override
    public DirectoryHandle openDirectory(byte[] name) throws PosixException {
        gate.pass(PosixOperation.OPEN_DIRECTORY, pathOf(name));
        return new FaultyDirectory(directory.openDirectory(name), gate);
    }

    @Override
    public boolean touch(byte[] name) throws PosixException {
        return gate.passUnless(Errno.ENOENT, PosixOperation.TOUCH, pathOf(name)) && directory.touch(name);
    }

    @Override
    public boolean stat(byte[] name, FileStat into) throws PosixException {
        return gate.passUnless(Errno.ENOENT, PosixOperation.STAT, pathOf(name)) && directory.stat(name, into);
    }

    @Override
    public void stat(FileStat into) throws PosixException {
        gate.pass(PosixOperation.STAT, path());
        directory.stat(into);
    }

    @Override
    public ReadableFile openForReading(byte[] name) throws PosixException {
        gate.pass(PosixOperation.OPEN_FOR_READING, pathOf(name));
        return new FaultyReadableFile(directory.openForReading(name), gate);
    }

    @Override
    public boolean unlink(byte[] name) throws PosixException {
        return gate.passUnless(Errno.ENOENT, PosixOperation.UNLINK, pathOf(name)) && directory.unlink(name);
    }

    @Override
    public void rename(byte[] from, byte[] to) throws PosixException {
        gate.pass(PosixOperation.RENAME, pathOf(from) + " -> " + pathOf(to));
        directory.rename(from, to);
    }

    @Override
    public @Nullable DirectoryEntry next() throws PosixException {
        gate.pass(PosixOperation.LIST, path());
        return directory.next();
    }

    @Override
    public void rewind() throws PosixException {
        directory.rewind();
    }

    @Override
    public void fsync() throws PosixException {
        gate.pass(PosixOperation.FSYNC_DIRECTORY, path());
        directory.fsync();
    }

    @Override
    public void close() {
        directory.close();
    }
}
