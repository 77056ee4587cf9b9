package dev.holdfast.shell.command;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.engine.job.InspectJob;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.ExitCode;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.output.HumanText;
import dev.holdfast.shell.output.JsonOutput;
import java.nio.file.Path;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;

/** Commands that look at single files. */
public final class InspectCommands {

    @Command(
            name = "inspect blob",
            description = "Look at a blob file, and check it.",
            help = "Exit code 13 if it is damaged.\n\nExample:\n  holdfast inspect blob index.json.blob")
    public CommandResult blob(Invocation invocation, @Argument(index = 0, description = "The file.") Path file)
            throws Exception {
        InspectJob.BlobFacts facts = new InspectJob(invocation.engine()).blob(file);
        return CommandResult.ok(
                facts,
                out -> out.fields(
                        "Blob", facts.path(),
                        "Kind", facts.kind(),
                        "File size", HumanText.bytes(facts.size()),
                        "Data size", facts.dataSize() == null ? null : HumanText.bytes(facts.dataSize()),
                        "CRC", facts.crc() + ", correct"));
    }

    @Command(
            name = "inspect index",
            description = "Look at an index file, and check it.",
            help = "Exit code 13 if it is damaged.\n\nExample:\n  holdfast inspect index drive0.img.fidx")
    public CommandResult index(Invocation invocation, @Argument(index = 0, description = "The file.") Path file)
            throws Exception {
        InspectJob.IndexFacts facts = new InspectJob(invocation.engine()).index(file);
        CommandResult result = CommandResult.ok(
                facts,
                out -> out.fields(
                        "Index", facts.path(),
                        "Kind", facts.kind(),
                        "UUID", facts.uuid(),
                        "Made", HumanText.time(facts.ctime()),
                        "Size", HumanText.bytes(facts.size()),
                        "Chunks", facts.chunks(),
                        "Chunk size", facts.chunkSize() == null ? null : HumanText.bytes(facts.chunkSize()),
                        "Checksum",
                                facts.checksum() + (facts.sound() ? ", correct" : ", WRONG: the index is damaged")));
        return facts.sound() ? result : result.withCode(ExitCode.DAMAGE);
    }

    @Command(
            name = "inspect chunk",
            description = "Look at a chunk of a datastore, and check it.",
            help =
                    "Exit codes: 10 if it is not there, 13 if it is damaged.\n\nExample:\n  holdfast inspect chunk store1"
                            + " bb9f8df61474d25e71fa00722318cd387396ca1736605e1248821cc0de3d3af8")
    public CommandResult chunk(
            Invocation invocation,
            @Argument(index = 0, description = Words.STORE) String name,
            @Argument(index = 1, description = "64 hex digits.") ChunkDigest digest)
            throws Exception {
        InspectJob.ChunkFacts facts = new InspectJob(invocation.engine()).chunk(name, digest);
        return CommandResult.ok(
                facts,
                out -> out.fields(
                        "Chunk", facts.digest(),
                        "Path", facts.path(),
                        "Kind",
                                (facts.encrypted() ? "encrypted" : "plain")
                                        + (facts.compressed() ? ", compressed" : ""),
                        "File size", HumanText.bytes(facts.size()),
                        "Data size", facts.dataSize() == null ? null : HumanText.bytes(facts.dataSize()),
                        "Access time", HumanText.time(facts.atime()),
                        "Digest", facts.sound() == null ? "cannot be checked without the key" : "correct"));
    }

    @Command(
            name = "inspect manifest",
            description = "Print the document in a manifest file.",
            help = "Exit code 13 if it is damaged.\n\nExample:\n  holdfast inspect manifest index.json.blob")
    public CommandResult manifest(Invocation invocation, @Argument(index = 0, description = "The file.") Path file)
            throws Exception {
        InspectJob.ManifestFacts facts = new InspectJob(invocation.engine()).manifest(file);
        return CommandResult.ok(JsonOutput.document(facts.json()), out -> out.line(facts.json()));
    }
}
