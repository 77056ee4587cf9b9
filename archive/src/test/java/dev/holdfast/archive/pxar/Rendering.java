package dev.holdfast.archive.pxar;

import dev.holdfast.archive.ByteSource;
import dev.holdfast.archive.SourceInputStream;
import dev.holdfast.archive.Vectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Archives as lists of lines, for comparison. */
final class Rendering {

    private Rendering() {}

    static String metadata(EntryMetadata m) {
        StringBuilder text = new StringBuilder(m.stat().toString());
        m.xattrs()
                .forEach(x -> text.append(" x:")
                        .append(Vectors.hex(x.name()))
                        .append('=')
                        .append(Vectors.hex(x.value())));
        text.append(' ').append(m.acl());
        byte[] fcaps = m.fcaps();
        text.append(" caps:").append(fcaps == null ? "-" : Vectors.hex(fcaps));
        return text.append(" project:").append(m.projectId()).toString();
    }

    /** Everything about an entry except its positions. */
    static String entry(PxarEntry entry) {
        String body = switch (entry.kind()) {
            case SYMLINK -> Vectors.hex(((EntryBody.Symlink) entry.body()).target());
            case HARD_LINK -> {
                EntryBody.HardLink link = (EntryBody.HardLink) entry.body();
                yield link.distance() + " " + Vectors.hex(link.path());
            }
            case FILE -> Long.toString(((EntryBody.File) entry.body()).size());
            case BLOCK_DEVICE, CHARACTER_DEVICE -> entry.body().toString();
            default -> "";
        };
        String metadata = entry.kind() == EntryKind.HARD_LINK ? "" : metadata(entry.metadata());
        return Vectors.hex(entry.name()) + " " + entry.kind() + " " + body + " " + metadata;
    }

    /** Reads everything from the front. */
    static List<String> sequential(PxarDecoder decoder) throws IOException {
        List<String> lines = new ArrayList<>();
        while (true) {
            switch (decoder.next()) {
                case ENTRY -> {
                    String line = entry(decoder.entry());
                    if (decoder.entry().kind() == EntryKind.FILE) {
                        line += " " + Vectors.hex(decoder.content().readAllBytes());
                    }
                    lines.add(line);
                }
                case DIRECTORY_END -> lines.add("..");
                case END -> {
                    return lines;
                }
            }
        }
    }

    /** Lists everything, looks everything up, reads every file and follows every hard link. */
    static void random(PxarReader reader, PxarDirectory directory, int depth, List<String> lines) throws IOException {
        if (depth > 2048) {
            throw new IOException("nested too deep");
        }
        for (long i = 0; i < directory.count(); i++) {
            PxarEntry child = directory.child(i);
            PxarEntry found = directory.lookup(child.name());
            if (found == null || found.place().filename() != child.place().filename()) {
                throw new IOException("listed but not found: " + child.text());
            }
            String line = entry(child);
            if (child.kind() == EntryKind.FILE) {
                line += " " + Vectors.hex(all(reader.content(child)));
            } else if (child.kind() == EntryKind.HARD_LINK) {
                all(reader.content(reader.target(child)));
            }
            lines.add(line);
            if (child.kind() == EntryKind.DIRECTORY) {
                random(reader, reader.directory(child), depth + 1, lines);
            }
        }
    }

    static byte[] all(ByteSource source) throws IOException {
        return new SourceInputStream(source, 0, source.size()).readAllBytes();
    }
}
