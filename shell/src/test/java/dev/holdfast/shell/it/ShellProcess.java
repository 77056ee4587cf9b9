package dev.holdfast.shell.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The shell's jar in a process of its own. */
final class ShellProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Process process;
    private final Path out;
    private final Path err;

    private ShellProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts the jar with the configuration {@code holdfast.yaml} of a directory. */
    static ShellProcess start(Path directory, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                jar().toString()));
        command.addAll(List.of(words));
        return start(directory, command);
    }

    static ShellProcess start(Path directory, List<String> command) throws IOException {
        Path out = Files.createTempFile(directory, "out", ".txt");
        Path err = Files.createTempFile(directory, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment()
                .put("HOLDFAST_CONFIG", directory.resolve("holdfast.yaml").toString());
        return new ShellProcess(builder.start(), out, err);
    }

    /** Writes a configuration without stores, everything inside the directory. */
    static void configure(Path directory) throws IOException {
        Files.writeString(
                directory.resolve("holdfast.yaml"),
                "lock-directory: " + directory.resolve("locks") + "\nstate-directory: " + directory.resolve("state")
                        + "\n");
    }

    private static Path jar() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            return files.filter(file -> file.getFileName().toString().matches("holdfast-shell-.*\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no jar in target; run the build up to 'package'"))
                    .toAbsolutePath();
        }
    }

    /** Waits for the end. @return the exit code; 128 and the signal's number for a death by signal */
    int await() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** Sends a signal by its name. */
    void signal(String name) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String out() {
        return content(out);
    }

    String err() {
        return content(err);
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
