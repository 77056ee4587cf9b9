package dev.holdfast.datastore.manifest;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupType;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import dev.holdfast.datastore.error.FormatException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The known members of a manifest, read strictly: a member of another type or out of bounds is an error that names it. */
final class ManifestMembers {

    private final JsonNode document;
    private final String name;

    ManifestMembers(JsonNode document, String name) {
        this.document = document;
        this.name = name;
    }

    static void putSnapshot(ObjectNode target, SnapshotId snapshot) {
        target.put("backup-id", snapshot.group().id());
        target.put("backup-time", snapshot.time());
        target.put("backup-type", snapshot.group().type().toString());
    }

    static ObjectNode toNode(ManifestEntry entry) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("crypt-mode", entry.cryptMode().toString());
        node.put("csum", entry.checksum().toString());
        node.put("filename", entry.name().text());
        node.put("size", entry.size());
        return node;
    }

    SnapshotId snapshot() throws FormatException {
        String type = text(document, "backup-type");
        String id = text(document, "backup-id");
        long time = number(document, "backup-time");
        try {
            return new SnapshotId(new BackupGroup(BackupType.parse(type), id), time);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage(), e);
        }
    }

    List<ManifestEntry> files(String member) throws FormatException {
        JsonNode array = document.get(member);
        if (array == null || !array.isArray()) {
            throw wrong("member '" + member + "' must be an array", null);
        }
        List<ManifestEntry> result = new ArrayList<>(array.size());
        Set<ArchiveName> seen = new HashSet<>();
        for (JsonNode node : array) {
            ManifestEntry entry = entry(node);
            if (!seen.add(entry.name())) {
                throw wrong("it lists " + entry.name() + " twice", null);
            }
            result.add(entry);
        }
        return List.copyOf(result);
    }

    private ManifestEntry entry(JsonNode node) throws FormatException {
        if (!node.isObject()) {
            throw wrong("an element of 'files' must be an object", null);
        }
        long size = number(node, "size");
        if (size < 0) {
            throw wrong("a file has a negative size: " + size, null);
        }
        String file = text(node, "filename");
        String checksum = text(node, "csum");
        // Old clients did not write it.
        String mode = node.has("crypt-mode") ? text(node, "crypt-mode") : CryptMode.NONE.toString();
        try {
            return new ManifestEntry(new ArchiveName(file), CryptMode.parse(mode), size, ChunkDigest.parse(checksum));
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage(), e);
        }
    }

    void checkObject(String member) throws FormatException {
        JsonNode node = document.get(member);
        if (node != null && !node.isObject()) {
            throw wrong("member '" + member + "' must be an object", null);
        }
    }

    void checkSignature(String member) throws FormatException {
        JsonNode node = document.get(member);
        if (node == null || node.isNull()) {
            return;
        }
        try {
            ChunkDigest.parse(text(document, member));
        } catch (IllegalArgumentException e) {
            throw wrong("member '" + member + "' must be 64 hex digits or null", e);
        }
    }

    private String text(JsonNode object, String member) throws FormatException {
        JsonNode node = object.get(member);
        if (node == null || !node.isString()) {
            throw wrong("member '" + member + "' must be text", null);
        }
        return node.stringValue();
    }

    private long number(JsonNode object, String member) throws FormatException {
        JsonNode node = object.get(member);
        if (node == null || !node.isIntegralNumber() || !node.canConvertToLong()) {
            throw wrong("member '" + member + "' must be a whole number of at most 63 bits", null);
        }
        return node.longValue();
    }

    private FormatException wrong(@Nullable String reason, @Nullable Throwable cause) {
        return new FormatException(name, name + " is no valid manifest: " + reason, cause);
    }
}
