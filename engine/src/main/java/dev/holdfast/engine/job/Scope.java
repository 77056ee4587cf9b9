package dev.holdfast.engine.job;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a store is meant.
 *
 * @param namespace the namespace
 * @param maxDepth levels below it that are meant too
 * @param group this group alone; null for all
 */
public record Scope(
        BackupNamespace namespace, int maxDepth, @Nullable BackupGroup group) {

    /** The namespace or the root, all below it, or one group of it. */
    public static Scope of(
            @Nullable BackupNamespace namespace, @Nullable Integer maxDepth, @Nullable BackupGroup group) {
        if (maxDepth != null && (maxDepth < 0 || maxDepth > BackupNamespace.MAX_DEPTH)) {
            throw new IllegalArgumentException(
                    "max-depth must be from 0 to " + BackupNamespace.MAX_DEPTH + ", not " + maxDepth);
        }
        return new Scope(
                namespace == null ? BackupNamespace.ROOT : namespace,
                maxDepth == null ? BackupNamespace.MAX_DEPTH : maxDepth,
                group);
    }

    /** A namespace, or the root for null. */
    public static BackupNamespace namespaceOrRoot(@Nullable BackupNamespace namespace) {
        return namespace == null ? BackupNamespace.ROOT : namespace;
    }
}
