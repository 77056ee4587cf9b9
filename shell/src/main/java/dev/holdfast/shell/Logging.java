package dev.holdfast.shell;

import dev.holdfast.engine.wiring.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.logging.FileHandler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Keeps log lines of libraries off the terminal, and stack traces in a file. */
final class Logging {

    /** Size at which the log file begins again, in bytes. */
    private static final int LIMIT = 4 * 1024 * 1024;

    private Logging() {}

    /** Silences all logging. Boot's own logging set-up is left out: it would take a tenth of a second and log nothing. */
    static void configure() {
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        LogManager.getLogManager().reset();
        Logger.getLogger("").setLevel(Level.OFF);
    }

    /** Writes a stack trace to {@code shell.log} in the user's state directory. @return one sentence about it */
    static String keep(Throwable e, Map<String, String> environment) {
        Path file = StateDirectory.ofUser(environment).resolve("shell.log");
        try {
            Files.createDirectories(file.getParent());
            FileHandler handler = new FileHandler(file.toString(), LIMIT, 1, true);
            handler.setFormatter(new SimpleFormatter());
            Logger logger = Logger.getAnonymousLogger();
            logger.setUseParentHandlers(false);
            logger.setLevel(Level.ALL);
            logger.addHandler(handler);
            logger.log(Level.SEVERE, "a command failed", e);
            handler.close();
            return "the stack trace is in " + file;
        } catch (IOException failure) {
            return "the stack trace cannot be kept: " + failure.getMessage();
        }
    }
}
