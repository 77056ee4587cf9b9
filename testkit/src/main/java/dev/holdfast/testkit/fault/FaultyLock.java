package dev.holdfast.testkit.fault;

import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.LockHandle;
import dev.holdfast.posix.PosixException;

/** A lock file whose calls pass the gate; a planned EAGAIN says that somebody else holds the lock. */
final class FaultyLock implements LockHandle {

    private final LockHandle lock;
    private final FaultGate gate;

    FaultyLock(LockHandle lock, FaultGate gate) {
        this.lock = lock;
        this.gate = gate;
    }

    @Override
    public String path() {
        return lock.path();
    }

    @Override
    public void stat(FileStat into) throws PosixException {
        gate.pass(PosixOperation.STAT, path());
        lock.stat(into);
    }

    @Override
    public boolean tryFlock(boolean exclusive) throws PosixException {
        return gate.passUnless(Errno.EAGAIN, PosixOperation.FLOCK, path()) && lock.tryFlock(exclusive);
    }

    @Override
    public boolean tryRecordLock(boolean exclusive) throws PosixException {
        return gate.passUnless(Errno.EAGAIN, PosixOperation.RECORD_LOCK, path()) && lock.tryRecordLock(exclusive);
    }

    @Override
    public void unlockRecord() throws PosixException {
        lock.unlockRecord();
    }

    @Override
    public int recordLockHolder(boolean exclusive) throws PosixException {
        return lock.recordLockHolder(exclusive);
    }

    @Override
    public void close() {
        lock.close();
    }
}
