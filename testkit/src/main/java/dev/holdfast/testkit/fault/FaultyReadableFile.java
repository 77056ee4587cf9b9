package dev.holdfast.testkit.fault;

import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.ReadableFile;
import java.nio.ByteBuffer;

/** A file open for reading whose calls pass the gate. */
final class FaultyReadableFile implements ReadableFile {

    private final ReadableFile file;
    private final FaultGate gate;

    FaultyReadableFile(ReadableFile file, FaultGate gate) {
        this.file = file;
        this.gate = gate;
    }

    @Override
    public String path() {
        return file.path();
    }

    @Override
    public void stat(FileStat into) throws PosixException {
        gate.pass(PosixOperation.STAT, path());
        file.stat(into);
    }

    @Override
    public long size() throws PosixException {
        gate.pass(PosixOperation.STAT, path());
        return file.size();
    }

    @Override
    public int read(long position, ByteBuffer into) throws PosixException {
        gate.pass(PosixOperation.READ, path());
        return file.read(position, into);
    }

    @Override
    public void close() {
        file.close();
    }
}
