package dev.holdfast.testkit.fault;

import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.WritableFile;
import java.nio.ByteBuffer;

/** A file open for writing whose calls pass the gate. */
final class FaultyWritableFile implements WritableFile {

    private final WritableFile file;
    private final FaultGate gate;
    private boolean closed;

    FaultyWritableFile(WritableFile file, FaultGate gate) {
        this.file = file;
        this.gate = gate;
    }

    @Override
    public String path() {
        return file.path();
    }

    @Override
    public void write(long position, ByteBuffer from) throws PosixException {
        FaultPlan.Call call = gate.enter(PosixOperation.WRITE, path());
        if (call.failure != null) {
            ByteBuffer part = from.duplicate();
            part.limit(part.position() + Math.min(call.bytesBeforeFailure, part.remaining()));
            file.write(position, part);
            from.position(part.position());
            throw call.failure;
        }
        file.write(position, from);
    }

    @Override
    public void truncate(long size) throws PosixException {
        gate.pass(PosixOperation.TRUNCATE, path());
        file.truncate(size);
    }

    @Override
    public void changeOwner(int uid, int gid) throws PosixException {
        gate.pass(PosixOperation.CHANGE_OWNER, path());
        file.changeOwner(uid, gid);
    }

    @Override
    public void changeMode(int mode) throws PosixException {
        gate.pass(PosixOperation.CHANGE_MODE, path());
        file.changeMode(mode);
    }

    @Override
    public void fsync() throws PosixException {
        gate.pass(PosixOperation.FSYNC, path());
        file.fsync();
    }

    @Override
    public void stat(FileStat into) throws PosixException {
        gate.pass(PosixOperation.STAT, path());
        file.stat(into);
    }

    /** The descriptor is closed whatever the plan says, as the kernel does it. */
    @Override
    public void close() throws PosixException {
        file.close();
        if (!closed) {
            closed = true;
            gate.pass(PosixOperation.CLOSE, path());
        }
    }
}
