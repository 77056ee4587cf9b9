package dev.holdfast.shell;

/** Starts the shell. */
public final class HoldfastShell {

    private HoldfastShell() {}

    public static void main(String[] args) {
        throw new UnsupportedOperationException("skeleton");
    }
}
