package dev.holdfast.engine.job;

import dev.holdfast.api.model.BackupType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group as listings show it, with the keys of Proxmox Backup Server and {@code ns} and {@code group} besides.
 *
 * @param ns its namespace, empty for the root
 * @param lastBackup time of the newest finished snapshot, Unix seconds; 0 if there is none
 * @param backupCount snapshots, finished or not
 * @param files names of the files of the newest finished snapshot
 * @param owner null if the owner file cannot be read
 * @param comment first line of its notes
 */
public record GroupItem(
        String ns,
        String group,
        BackupType backupType,
        String backupId,
        long lastBackup,
        int backupCount,
        @Nullable String owner,
        @Nullable String comment,
        List<String> files) {}
