package dev.holdfast.shell.command;

import dev.holdfast.shell.line.Invocation;
import java.io.Console;
import java.util.Arrays;

/** Asks for passphrases: from the environment, else at the terminal, without echo. */
final class Passphrases {

    private static final String VARIABLE = "HOLDFAST_PASSPHRASE";
    private static final String NEW_VARIABLE = "HOLDFAST_NEW_PASSPHRASE";

    private Passphrases() {}

    /** The passphrase of an existing key file. */
    static char[] ask(Invocation invocation) {
        String given = invocation.session().environment().get(VARIABLE);
        return given != null ? given.toCharArray() : read(VARIABLE, "Passphrase of the key: ");
    }

    /** The passphrase of a key file that is made. */
    static char[] choose(Invocation invocation) {
        return twice(invocation, VARIABLE);
    }

    /** The passphrase that takes the place of another one. */
    static char[] chooseNew(Invocation invocation) {
        return twice(invocation, NEW_VARIABLE);
    }

    private static char[] twice(Invocation invocation, String variable) {
        String given = invocation.session().environment().get(variable);
        if (given != null) {
            return given.toCharArray();
        }
        char[] typed = read(variable, "New passphrase: ");
        if (!Arrays.equals(typed, read(variable, "Once more: "))) {
            throw new IllegalArgumentException("the two passphrases differ; nothing was changed");
        }
        return typed;
    }

    private static char[] read(String variable, String prompt) {
        Console console = System.console();
        char[] typed = console == null ? null : console.readPassword(prompt);
        if (typed == null) {
            throw new IllegalArgumentException("a passphrase is needed; set " + variable + ", or call from a terminal");
        }
        return typed;
    }
}
