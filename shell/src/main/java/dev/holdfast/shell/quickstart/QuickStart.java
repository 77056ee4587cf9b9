package dev.holdfast.shell.quickstart;

import dev.holdfast.engine.job.BackupDirJob;
import dev.holdfast.engine.job.BackupImageJob;
import dev.holdfast.engine.job.GcJob;
import dev.holdfast.engine.job.PruneJob;
import dev.holdfast.engine.job.VerifyJob;
import dev.holdfast.shell.line.CommandLine;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.ExitCode;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.ShellSession;
import dev.holdfast.shell.output.HumanText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The tour: each step is a command line that is printed and then run in this process, exactly as somebody would type it.
 * What a step must have shown is checked; the first thing that is not as it should be ends the tour.
 *
 * <p>Nothing is cheated about time: chunks become removable when they have not been touched for the cutoff, whose smallest
 * value is one minute. The tour sets it to that, fills the minute with useful steps, and waits for what is left of it.
 */
final class QuickStart {

    /** Name of the configuration file in the tour's directory. */
    static final String CONFIG = "holdfast.yaml";

    private static final String STORE = "demo";

    /** A second more than the cutoff of one minute, and one for the grain of access times. */
    private static final Duration CUTOFF = Duration.ofSeconds(62);

    /** How often the wait tells how much of it is left. */
    private static final Duration COUNTDOWN = Duration.ofSeconds(10);

    /** Where the image is changed, in parts of a thousand, and how long each change is. */
    private static final int[] CHANGES = {70, 510, 950};

    private static final int CHANGE_BYTES = 4096;

    private final Invocation invocation;
    private final Path directory;
    private final PrintStream out;
    private final CommandLine commands;
    private final List<String> printed = new ArrayList<>();
    private Object last = "";

    /** A step did not show what it should; the message says what, the code is the tour's exit code. */
    private static final class StepFailedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final int code;

        StepFailedException(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    QuickStart(Invocation invocation, Path directory) {
        this.invocation = invocation;
        this.directory = directory;
        ShellSession outer = invocation.session();
        // With --output json standard output is for the one document at the end.
        out = invocation.options().json() ? outer.err() : outer.out();
        Map<String, String> environment = new LinkedHashMap<>(outer.environment());
        environment.put("HOLDFAST_CONFIG", directory.resolve(CONFIG).toString());
        ShellSession session = new ShellSession(
                new ShellSession.Streams(outer.in(), out, outer.err()),
                new ShellSession.Surroundings(
                        environment, outer.clock(), outer.surroundings().nanos()),
                result -> last = result.json());
        outer.enclose(session);
        commands = invocation.commands().in(session);
    }

    CommandResult run() throws IOException, InterruptedException {
        long start = invocation.session().clock().millis();
        Map<String, Object> json = new LinkedHashMap<>();
        int code = ExitCode.OK;
        try {
            tour(json);
        } catch (StepFailedException e) {
            invocation.session().err().println("holdfast: quickstart: " + e.getMessage());
            code = e.code;
        }
        json.put("ok", code == ExitCode.OK);
        json.put("commands", printed);
        long millis = invocation.session().clock().millis() - start;
        json.put("duration-ms", millis);
        String verdict = code == ExitCode.OK ? "All steps matched, in " : "Stopped after ";
        return new CommandResult(code, json, text -> text.line("\n" + verdict + HumanText.duration(millis) + "."));
    }

    private void tour(Map<String, Object> json) throws IOException, InterruptedException, StepFailedException {
        Path image = directory.resolve("disk.img");
        Path imageBefore = directory.resolve("disk-before.img");
        Path tree = directory.resolve("tree");
        prepare(image, tree);

        say("A datastore, with the smallest cutoff that garbage collection allows: one minute instead of a day.");
        run("datastore", "create", STORE, directory.resolve("store").toString(), "--tuning", "gc-atime-cutoff=1");
        say("Garbage collection shall touch chunks in sorted batches.");
        run("tuning", "set", STORE, "gc-prefetch-batch-size=65536");

        say("The first backups, of the image and of the tree, store everything.");
        final BackupImageJob.Result first = backup(image);
        final BackupDirJob.Result firstTree = backupTree(tree);
        final long firstEnd = invocation.session().clock().millis();

        say("Some work on the machine: " + CHANGES.length + " places of the image change, and some files of the tree.");
        command("cp " + quoted(image.toString()) + " " + quoted(imageBefore.toString()));
        Files.copy(image, imageBefore);
        change(image);
        SampleTree.change(tree).forEach(out::println);

        say("The second backups store what changed, and reuse the rest.");
        final BackupImageJob.Result second = backup(image);
        check(second.newChunks() == CHANGES.length, "the second backup stored " + second.newChunks() + " new chunks");
        check(second.reusedChunks() == second.chunks() - CHANGES.length, "the second backup reused too little");
        final BackupDirJob.Result secondTree = backupTree(tree);
        check(
                secondTree.entries() == firstTree.entries(),
                "the second backup of the tree has another number of entries");
        run("snapshot", "list", STORE);

        say("The first snapshot of the image, before it goes, comes back as it was.");
        restore(first, "restored-1.img", imageBefore);
        say("Only the newest snapshot of each group is kept.");
        run("prune", "run", STORE, "--keep-last", "1");
        check(last instanceof PruneJob.Result prune && prune.removed() == 2, "prune did not remove two snapshots");

        waitForCutoff(firstEnd);
        say("What nobody refers to any more can go now.");
        run("gc", "run", STORE);
        final GcJob.Result gc = result(GcJob.Result.class);
        check(
                gc.status().removedChunks() >= CHANGES.length,
                "garbage collection removed " + gc.status().removedChunks() + " chunks, expected at least "
                        + CHANGES.length);

        say("Everything that is left is read and checked.");
        run("verify", "run", STORE);
        check(result(VerifyJob.Result.class).ok(), "verify found damage");
        say("The second snapshots come back byte for byte.");
        restore(second, "restored-2.img", image);
        restoreTree(secondTree, tree);
        figures(json, first, second, secondTree, gc);
    }

    private void figures(
            Map<String, Object> json,
            BackupImageJob.Result first,
            BackupImageJob.Result second,
            BackupDirJob.Result tree,
            GcJob.Result gc) {
        json.put("image-bytes", second.size());
        json.put("chunks", second.chunks());
        json.put("first-new-chunks", first.newChunks());
        json.put("second-new-chunks", second.newChunks());
        json.put("second-reused-chunks", second.reusedChunks());
        json.put("tree-entries", tree.entries());
        json.put("tree-new-chunks", tree.newChunks());
        json.put("tree-reused-chunks", tree.reusedChunks());
        json.put("gc-touched-chunks", gc.phases().get(0).touched());
        json.put("gc-flushes", gc.strategy().flushes());
        json.put("gc-removed-chunks", gc.status().removedChunks());
        json.put("gc-removed-bytes", gc.status().removedBytes());
        out.println();
        out.println("Figures: image of " + HumanText.bytes(second.size()) + " in " + second.chunks()
                + " chunks, of which the second backup stored " + second.newChunks() + " and reused "
                + second.reusedChunks() + "; tree of " + tree.entries() + " entries in " + tree.chunks()
                + " chunks, of which it stored " + tree.newChunks() + "; garbage collection touched "
                + gc.phases().get(0).touched() + " chunks and removed "
                + gc.status().removedChunks() + " ("
                + HumanText.bytes(gc.status().removedBytes()) + ").");
    }

    /** The input is real: files of the Java that runs this, one of them of more than a hundred megabytes. */
    private void prepare(Path image, Path tree) throws IOException {
        Path modules = Path.of(System.getProperty("java.home"), "lib", "modules");
        String config = "lock-directory: " + yaml(directory.resolve("locks")) + "\nstate-directory: "
                + yaml(directory.resolve("state")) + "\n";
        Files.writeString(directory.resolve(CONFIG), config);
        say("A tour of Holdfast. Everything is in " + directory + "; the image is a copy of " + modules
                + ", the tree one of other parts of the same Java.");
        command("export HOLDFAST_CONFIG=" + quoted(directory.resolve(CONFIG).toString()));
        command("cp " + quoted(modules.toString()) + " " + quoted(image.toString()));
        Files.copy(modules, image);
        List<Path> parts = SampleTree.sources();
        String sources = parts.stream().map(part -> quoted(part.toString())).collect(Collectors.joining(" "));
        command("mkdir " + quoted(tree.toString()) + " && cp -a " + sources + " " + quoted(tree.toString()));
        SampleTree.copy(parts, tree);
    }

    private BackupDirJob.Result backupTree(Path tree) throws StepFailedException {
        run("backup", "dir", STORE, "host/web1", tree.toString(), "--archive", "root");
        return result(BackupDirJob.Result.class);
    }

    private void restoreTree(BackupDirJob.Result backup, Path original) throws IOException, StepFailedException {
        Path restored = directory.resolve("restored-tree");
        run("restore", "dir", STORE, backup.snapshot(), "root", restored.toString());
        command("diff -r --no-dereference " + quoted(original.toString()) + " " + quoted(restored.toString()));
        Optional<String> difference = SampleTree.difference(original, restored);
        check(difference.isEmpty(), restored + " is not like " + original + ": " + difference.orElse(""));
        out.println(SampleTree.count(restored) + " entries compared, identical in content, type, mode and time");
        Files.walkFileTree(restored, new RemoveTree());
    }

    private BackupImageJob.Result backup(Path image) throws StepFailedException {
        run("backup", "image", STORE, "vm/100", image.toString(), "--archive", "drive0");
        return result(BackupImageJob.Result.class);
    }

    private void restore(BackupImageJob.Result backup, String name, Path original)
            throws IOException, StepFailedException {
        Path restored = directory.resolve(name);
        run("restore", "image", STORE, backup.snapshot(), "drive0", restored.toString());
        command("cmp " + quoted(original.toString()) + " " + quoted(restored.toString()));
        long mismatch = Files.mismatch(original, restored);
        check(mismatch < 0, restored + " differs from " + original + " at byte " + mismatch);
        out.println(HumanText.bytes(Files.size(restored)) + " compared, identical");
        Files.delete(restored);
    }

    private void change(Path image) throws IOException {
        try (FileChannel channel = FileChannel.open(image, StandardOpenOption.WRITE)) {
            long size = channel.size();
            for (int place : CHANGES) {
                long position = size / 1000 * place;
                out.println("changed " + CHANGE_BYTES + " bytes at " + position);
                byte[] text =
                        ("changed at " + position + "\n").repeat(CHANGE_BYTES).getBytes(StandardCharsets.US_ASCII);
                channel.write(ByteBuffer.wrap(text, 0, CHANGE_BYTES), position);
            }
        }
    }

    private void waitForCutoff(long firstEnd) throws InterruptedException, StepFailedException {
        long ready = firstEnd + CUTOFF.toMillis();
        long left = ready - invocation.session().clock().millis();
        if (left <= 0) {
            return;
        }
        say(
                "Chunks that were touched within the cutoff are never removed, whoever owns them: a running backup could have"
                        + " stored them. Waiting until the pruned snapshot's chunks are a minute old: "
                        + (left + 999) / 1000
                        + " s.");
        while (left > 0) {
            if (!invocation.session().pause(Duration.ofMillis(Math.min(left, COUNTDOWN.toMillis())))) {
                throw new StepFailedException(ExitCode.ABORTED, "aborted while waiting");
            }
            left = ready - invocation.session().clock().millis();
            if (left > 0) {
                invocation.note("waiting: " + (left + 999) / 1000 + " s left");
            }
        }
    }

    private void run(String... words) throws StepFailedException {
        StringBuilder line = new StringBuilder("holdfast");
        for (String word : words) {
            line.append(' ').append(quoted(word));
        }
        command(line.toString());
        int code = commands.run(List.of(words));
        if (code != ExitCode.OK) {
            throw new StepFailedException(code, "'" + line + "' ended with exit code " + code);
        }
    }

    private <T> T result(Class<T> type) throws StepFailedException {
        check(type.isInstance(last), "a step gave no figures");
        return type.cast(last);
    }

    private static void check(boolean holds, String otherwise) throws StepFailedException {
        if (!holds) {
            throw new StepFailedException(ExitCode.ERROR, otherwise);
        }
    }

    private void say(String text) {
        out.println();
        out.println("# " + text);
    }

    private void command(String line) {
        printed.add(line);
        out.println("$ " + line);
    }

    /** As a POSIX shell needs it. */
    static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static String yaml(Path path) {
        return "'" + path.toString().replace("'", "''") + "'";
    }
}
