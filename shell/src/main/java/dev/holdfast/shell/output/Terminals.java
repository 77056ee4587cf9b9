package dev.holdfast.shell.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Finds out which of the standard streams is a terminal; each may be redirected by itself. */
public final class Terminals {

    private static final int DEFAULT_WIDTH = 80;

    private Terminals() {}

    /**
     * Whether a standard stream is a terminal.
     *
     * @param descriptor 0 input, 1 output, 2 errors
     */
    public static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    /** Columns of the terminal as the environment tells them. */
    public static int width(Map<String, String> environment) {
        try {
            int columns = Integer.parseInt(environment.getOrDefault("COLUMNS", ""));
            return columns > 20 ? columns : DEFAULT_WIDTH;
        } catch (NumberFormatException e) {
            return DEFAULT_WIDTH;
        }
    }
}
