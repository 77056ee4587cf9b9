package dev.holdfast.shell.command;

import dev.holdfast.shell.line.Invocation;
import java.io.Console;

/** Asks for passphrases: from the environment, else from the terminal without echo. */
final class Passphrases {

    /** Names the variable that a script sets. */
    private static final String VARIABLE = "HOLDFAST_PASSPHRASE";

    private Passphrases() {}

    /** The passphrase of a key file. */
    static char[] ask(Invocation invocation) {
        String given = invocation.session().environment().get(VARIABLE);
        if (given != null) {
            return given.toCharArray();
        }
        Console console = System.console();
        char[] typed = console == null ? null : console.readPassword("Passphrase of the key: ");
        if (typed == null) {
            throw new IllegalArgumentException(
                    "the key file has a passphrase; set " + VARIABLE + ", or call from a terminal");
        }
        return typed;
    }
}
