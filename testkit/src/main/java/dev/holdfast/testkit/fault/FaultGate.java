package dev.holdfast.testkit.fault;

import dev.holdfast.posix.Errno;
import dev.holdfast.posix.PosixException;

/** Passes calls by the plan, in the forms that the port's methods need. */
final class FaultGate {

    private final FaultPlan plan;

    FaultGate(FaultPlan plan) {
        this.plan = plan;
    }

    /** Throws the planned failure, if any. */
    void pass(PosixOperation operation, Object path) throws PosixException {
        FaultPlan.Call call = plan.enter(operation, path.toString());
        if (call.failure != null) {
            throw call.failure;
        }
    }

    /** As {@link #pass}, for methods to which one errno is an answer: then false. */
    boolean passUnless(Errno answer, PosixOperation operation, Object path) throws PosixException {
        FaultPlan.Call call = plan.enter(operation, path.toString());
        if (call.failure == null) {
            return true;
        }
        if (call.failure.errno() == answer) {
            return false;
        }
        throw call.failure;
    }

    FaultPlan.Call enter(PosixOperation operation, String path) throws PosixException {
        return plan.enter(operation, path);
    }
}
