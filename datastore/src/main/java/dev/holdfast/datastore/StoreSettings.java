package dev.holdfast.datastore;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.datastore.layout.DatastoreLayout;
import java.nio.file.Path;

/**
 * Which store.
 *
 * @param name its configured name, which is also its name in the lock directory
 * @param root its root directory, absolute
 * @param tuning its options
 */
public record StoreSettings(String name, Path root, DatastoreTuning tuning) {

    /** @throws IllegalArgumentException if the root is not absolute */
    public DatastoreLayout layout() {
        return new DatastoreLayout(root);
    }
}
