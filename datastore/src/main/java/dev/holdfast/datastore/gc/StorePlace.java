package dev.holdfast.datastore.gc;

import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.BackupType;
import dev.holdfast.api.model.SnapshotId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a path below a store's root is in the scheme {@code [ns/NAME/]… TYPE/ID/TIME}.
 *
 * @param namespaces names between the {@code ns} directories, valid or not
 * @param rest what follows them
 */
record StorePlace(List<String> namespaces, List<String> rest) {

    /** A snapshot with its namespace. */
    record Snapshot(BackupNamespace namespace, SnapshotId id) {}

    /** @param relative components joined by slashes, empty for the root */
    static StorePlace of(String relative) {
        List<String> rest = relative.isEmpty() ? List.of() : List.of(relative.split("/"));
        List<String> namespaces = new ArrayList<>();
        int from = 0;
        while (rest.size() - from >= 2 && rest.get(from).equals("ns")) {
            namespaces.add(rest.get(from + 1));
            from += 2;
        }
        return new StorePlace(List.copyOf(namespaces), rest.subList(from, rest.size()));
    }

    /** The root, a directory of namespaces, a namespace or a type: nobody removes one while it holds something. */
    boolean isContainer() {
        return rest.isEmpty() || (rest.size() == 1 && (rest.get(0).equals("ns") || isType()));
    }

    /** A container, a group or a snapshot, whatever its name. */
    boolean isPlace() {
        return isContainer() || (rest.size() <= 3 && isType());
    }

    private boolean isType() {
        String first = rest.get(0);
        for (BackupType type : BackupType.values()) {
            if (type.toString().equals(first)) {
                return true;
            }
        }
        return false;
    }

    /** The snapshot that this place is, if all its names are valid. */
    Optional<Snapshot> snapshot() {
        if (rest.size() != 3) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Snapshot(
                    new BackupNamespace(namespaces),
                    new SnapshotId(
                            new BackupGroup(BackupType.parse(rest.get(0)), rest.get(1)),
                            SnapshotId.parseTime(rest.get(2)))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
