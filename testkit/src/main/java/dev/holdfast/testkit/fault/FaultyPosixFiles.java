package dev.holdfast.testkit.fault;

import dev.holdfast.posix.DirectoryHandle;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FilesystemSpace;
import dev.holdfast.posix.LockHandle;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import dev.holdfast.posix.WritableFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A door that fails where a {@link FaultPlan} says so and is the wrapped one elsewhere, together with all handles it opens.
 * Keeps the promises of the port: a planned ENOENT makes {@code touch} return false rather than throw.
 */
public final class FaultyPosixFiles implements PosixFiles {

    private final PosixFiles files;
    private final FaultGate gate;

    public FaultyPosixFiles(PosixFiles files, FaultPlan plan) {
        this.files = files;
        this.gate = new FaultGate(plan);
    }

    @Override
    public DirectoryHandle openDirectory(Path path) throws PosixException {
        gate.pass(PosixOperation.OPEN_DIRECTORY, path);
        return new FaultyDirectory(files.openDirectory(path), gate);
    }

    @Override
    public ReadableFile openForReading(Path path) throws PosixException {
        gate.pass(PosixOperation.OPEN_FOR_READING, path);
        return new FaultyReadableFile(files.openForReading(path), gate);
    }

    @Override
    public WritableFile create(Path path, int mode) throws PosixException {
        gate.pass(PosixOperation.CREATE, path);
        return new FaultyWritableFile(files.create(path, mode), gate);
    }

    @Override
    public LockHandle openLock(Path path, int mode) throws PosixException {
        gate.pass(PosixOperation.OPEN_LOCK, path);
        return new FaultyLock(files.openLock(path, mode), gate);
    }

    @Override
    public boolean makeDirectory(Path path, int mode) throws PosixException {
        return gate.passUnless(Errno.EEXIST, PosixOperation.MAKE_DIRECTORY, path) && files.makeDirectory(path, mode);
    }

    @Override
    public boolean stat(Path path, boolean followLinks, FileStat into) throws PosixException {
        return gate.passUnless(Errno.ENOENT, PosixOperation.STAT, path) && files.stat(path, followLinks, into);
    }

    @Override
    public boolean touch(Path path) throws PosixException {
        return gate.passUnless(Errno.ENOENT, PosixOperation.TOUCH, path) && files.touch(path);
    }

    @Override
    public void changeOwner(Path path, int uid, int gid) throws PosixException {
        gate.pass(PosixOperation.CHANGE_OWNER, path);
        files.changeOwner(path, uid, gid);
    }

    @Override
    public void changeMode(Path path, int mode) throws PosixException {
        gate.pass(PosixOperation.CHANGE_MODE, path);
        files.changeMode(path, mode);
    }

    @Override
    public boolean unlink(Path path) throws PosixException {
        return gate.passUnless(Errno.ENOENT, PosixOperation.UNLINK, path) && files.unlink(path);
    }

    @Override
    public boolean removeDirectory(Path path) throws PosixException {
        return gate.passUnless(Errno.ENOENT, PosixOperation.REMOVE_DIRECTORY, path) && files.removeDirectory(path);
    }

    @Override
    public void rename(Path from, Path to) throws PosixException {
        gate.pass(PosixOperation.RENAME, from + " -> " + to);
        files.rename(from, to);
    }

    @Override
    public boolean link(Path existing, Path name) throws PosixException {
        return gate.passUnless(Errno.EEXIST, PosixOperation.LINK, existing + " -> " + name)
                && files.link(existing, name);
    }

    @Override
    public void truncate(Path path, long size) throws PosixException {
        gate.pass(PosixOperation.TRUNCATE, path);
        files.truncate(path, size);
    }

    @Override
    public void syncFilesystem(Path path) throws PosixException {
        gate.pass(PosixOperation.SYNC_FILESYSTEM, path);
        files.syncFilesystem(path);
    }

    @Override
    public FilesystemSpace space(Path path) throws PosixException {
        gate.pass(PosixOperation.SPACE, path);
        return files.space(path);
    }

    @Override
    public int effectiveUid() {
        return files.effectiveUid();
    }

    @Override
    public int effectiveGid() {
        return files.effectiveGid();
    }

    @Override
    public int @Nullable [] account(String name) throws PosixException {
        gate.pass(PosixOperation.ACCOUNT, name);
        return files.account(name);
    }
}
