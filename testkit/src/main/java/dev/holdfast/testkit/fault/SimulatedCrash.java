package dev.holdfast.testkit.fault;

/** The process "dies" here. An Error, so that no handler of the code under test takes it for a failed call. */
public final class SimulatedCrash extends Error {

    private static final long serialVersionUID = 1L;

    public SimulatedCrash(PosixOperation operation, String path) {
        super("crash before " + operation + " of " + path);
    }
}
