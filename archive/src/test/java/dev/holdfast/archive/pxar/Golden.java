package dev.holdfast.archive.pxar;

import static dev.holdfast.archive.Vectors.unhex;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.archive.Vectors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A golden archive and what its description says about it. */
record Golden(String name, byte[] archive, byte @Nullable [] payload, JsonNode json) {

    static Golden load(String name) {
        boolean split = name.contains("-v2");
        return new Golden(
                name,
                Vectors.bytes("pxar/" + name + (split ? ".mpxar" : ".pxar")),
                split ? Vectors.bytes("pxar/" + name + ".ppxar") : null,
                Vectors.json("pxar/" + name + ".json"));
    }

    List<JsonNode> entries() {
        return json.get("entries").valueStream().toList();
    }

    /** The exact path of each entry, in archive order, without a leading slash. */
    List<byte[]> paths() {
        List<byte[]> paths = new ArrayList<>();
        List<byte[]> parents = new ArrayList<>();
        for (JsonNode entry : entries()) {
            String shown = entry.get("path").asString();
            if (shown.equals("/")) {
                paths.add(new byte[0]);
                continue;
            }
            int depth = (int) shown.chars().filter(c -> c == '/').count();
            ByteArrayOutputStream path = new ByteArrayOutputStream();
            for (byte[] parent : parents.subList(0, depth - 1)) {
                path.writeBytes(parent);
                path.write('/');
            }
            byte[] name = unhex(entry.get("name_hex").asString());
            path.writeBytes(name);
            paths.add(path.toByteArray());
            while (parents.size() >= depth) {
                parents.remove(parents.size() - 1);
            }
            parents.add(name);
        }
        return paths;
    }

    byte[] content(JsonNode entry) {
        boolean split = payload != null;
        int at = entry.get(split ? "payload_stream_content_offset" : "content_offset")
                .asInt();
        return Arrays.copyOfRange(
                split ? payload : archive, at, at + entry.get("size").asInt());
    }

    static EntryMetadata metadata(JsonNode entry) {
        EntryStat stat = new EntryStat(
                Long.parseLong(entry.get("mode_octal").asString(), 8),
                Long.decode(entry.get("flags").asString()),
                entry.get("uid").asLong(),
                entry.get("gid").asLong(),
                new EntryTime(
                        entry.get("mtime_secs").asLong(),
                        entry.get("mtime_nanos").asInt()));
        List<Xattr> xattrs = new ArrayList<>();
        if (entry.has("xattrs")) {
            entry.get("xattrs")
                    .forEach(x -> xattrs.add(new Xattr(
                            x.get("name").asString().getBytes(UTF_8),
                            unhex(x.get("value_hex").asString()))));
        }
        return new EntryMetadata(
                stat,
                xattrs,
                entry.has("acl") ? acl(entry.get("acl")) : Acl.NONE,
                entry.has("fcaps_hex") ? unhex(entry.get("fcaps_hex").asString()) : null,
                entry.has("quota_projid") ? entry.get("quota_projid").asLong() : null);
    }

    private static Acl acl(JsonNode acl) {
        Acl.Base base = null;
        if (acl.has("default")) {
            JsonNode d = acl.get("default");
            base = new Acl.Base(
                    word(d.get("user_obj")), word(d.get("group_obj")), word(d.get("other")), word(d.get("mask")));
        }
        return new Acl(
                named(acl, "users"),
                named(acl, "groups"),
                acl.has("group_obj") ? acl.get("group_obj").asLong() : null,
                new Acl.Defaults(base, named(acl, "default_users"), named(acl, "default_groups")));
    }

    private static long word(JsonNode hex) {
        return Long.parseUnsignedLong(hex.asString().substring(2), 16);
    }

    private static List<AclEntry> named(JsonNode acl, String key) {
        List<AclEntry> entries = new ArrayList<>();
        if (acl.has(key)) {
            String id = key.endsWith("users") ? "uid" : "gid";
            acl.get(key)
                    .forEach(e -> entries.add(new AclEntry(
                            e.get(id).asLong(), e.get("permissions").asLong())));
        }
        return entries;
    }

    /** Builds the tree of the description with the encoder. */
    void encodeWith(PxarEncoder encoder) throws IOException {
        List<byte[]> paths = paths();
        Map<String, LinkTarget> files = new HashMap<>();
        int depth = 0;
        int index = 0;
        for (JsonNode entry : entries()) {
            byte[] path = paths.get(index++);
            byte[] name = unhex(entry.get("name_hex").asString());
            int level = path.length == 0
                    ? 0
                    : 1 + Vectors.hex(path).replaceAll("(..)", "$1,").split("2f,", -1).length - 1;
            while (level > 0 && depth > level) {
                encoder.endDirectory();
                depth--;
            }
            EntryMetadata metadata = entry.get("kind").asString().equals("hardlink") ? null : metadata(entry);
            switch (entry.get("kind").asString()) {
                case "directory" -> {
                    if (level == 0) {
                        encoder.startRoot(metadata);
                    } else {
                        encoder.startDirectory(name, metadata);
                    }
                    depth++;
                }
                case "file" -> {
                    byte[] content = content(entry);
                    encoder.startFile(name, metadata, content.length);
                    files.put(Vectors.hex(path), encoder.linkTarget());
                    encoder.write(content, 0, content.length);
                    encoder.endFile();
                }
                case "symlink" ->
                    encoder.symlink(
                            name, metadata, entry.get("link_target").asString().getBytes(UTF_8));
                case "blockdev", "chardev" ->
                    encoder.device(
                            name,
                            metadata,
                            entry.get("device_major").asLong(),
                            entry.get("device_minor").asLong());
                case "fifo", "socket" -> encoder.special(name, metadata);
                case "hardlink" ->
                    encoder.hardLink(
                            name,
                            files.get(Vectors.hex(
                                    entry.get("link_target").asString().getBytes(UTF_8))));
                default -> throw new IllegalArgumentException(entry.toString());
            }
        }
        while (depth-- > 0) {
            encoder.endDirectory();
        }
    }
}
