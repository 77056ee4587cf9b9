package dev.holdfast.shell.command;

import dev.holdfast.shell.line.Invocation;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks for passphrases: from a descriptor that was named, else from the environment, else at the terminal, without echo.
 * They never come from the command line, which everybody on the machine can see.
 */
final class Passphrases {

    private static final String VARIABLE = "HOLDFAST_PASSPHRASE";
    private static final String NEW_VARIABLE = "HOLDFAST_NEW_PASSPHRASE";

    private static final int MAX_BYTES = 4096;

    private Passphrases() {}

    /** The passphrase of an existing key file, asked for when it turns out to be needed. @param descriptor null for none */
    static Supplier<char[]> of(Invocation invocation, @Nullable Integer descriptor) {
        return descriptor == null ? () -> ask(invocation) : () -> fromDescriptor(invocation, descriptor);
    }

    /** The passphrase of a key file that is made. @param descriptor null for none */
    static Supplier<char[]> choice(Invocation invocation, @Nullable Integer descriptor) {
        return descriptor == null ? () -> choose(invocation) : () -> fromDescriptor(invocation, descriptor);
    }

    /** The passphrase that takes the place of another one. @param descriptor null for none */
    static Supplier<char[]> newChoice(Invocation invocation, @Nullable Integer descriptor) {
        return descriptor == null ? () -> chooseNew(invocation) : () -> fromDescriptor(invocation, descriptor);
    }

    /** Reads to the end; one line end there is not part of the passphrase. */
    private static char[] fromDescriptor(Invocation invocation, int descriptor) {
        byte[] bytes;
        try {
            bytes = descriptor == 0 ? invocation.session().in().readNBytes(MAX_BYTES + 1) : fromOpened(descriptor);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "no passphrase can be read from descriptor " + descriptor + ": is it open for reading?", e);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("descriptor " + descriptor + " gives more than " + MAX_BYTES + " bytes");
        }
        int length = bytes.length;
        if (length > 0 && bytes[length - 1] == '\n') {
            length--;
        }
        CharBuffer text = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(bytes, 0, length));
        char[] passphrase = new char[text.remaining()];
        text.get(passphrase);
        Arrays.fill(text.array(), '\0');
        Arrays.fill(bytes, (byte) 0);
        return passphrase;
    }

    private static byte[] fromOpened(int descriptor) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of("/proc/self/fd/" + descriptor))) {
            return in.readNBytes(MAX_BYTES + 1);
        }
    }

    private static char[] ask(Invocation invocation) {
        String given = invocation.session().environment().get(VARIABLE);
        return given != null ? given.toCharArray() : read(VARIABLE, "Passphrase of the key: ");
    }

    private static char[] choose(Invocation invocation) {
        return twice(invocation, VARIABLE);
    }

    private static char[] chooseNew(Invocation invocation) {
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
