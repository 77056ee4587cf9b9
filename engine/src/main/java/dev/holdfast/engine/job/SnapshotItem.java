package dev.holdfast.engine.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupType;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as listings show it, with the keys of Proxmox Backup Server and {@code ns}, {@code snapshot} and
 * {@code finished} besides.
 *
 * @param ns its namespace, empty for the root
 * @param snapshot its name
 * @param backupTime Unix seconds
 * @param finished whether it has a manifest
 * @param isProtected whether prune and forget must leave it
 * @param size sum of the sizes of its files, bytes; null without a manifest
 * @param owner null if the group's owner file cannot be read
 * @param comment first line of its notes
 * @param fingerprint of the key that its content is encrypted or signed with
 */
public record SnapshotItem(
        String ns,
        String snapshot,
        BackupType backupType,
        String backupId,
        long backupTime,
        boolean finished,
        @JsonProperty("protected") boolean isProtected,
        @Nullable Long size,
        @Nullable String owner,
        @Nullable String comment,
        @Nullable Verification verification,
        @Nullable String fingerprint,
        List<FileItem> files) {

    /** A file of a snapshot; size in bytes, null for files that the manifest does not list. */
    public record FileItem(
            String filename,
            @Nullable CryptMode cryptMode,
            @Nullable Long size) {}

    /** The result of the last verify. */
    public record Verification(String upid, String state) {}

    @JsonIgnore
    public SnapshotId id() {
        return new SnapshotId(new BackupGroup(backupType, backupId), backupTime);
    }
}
