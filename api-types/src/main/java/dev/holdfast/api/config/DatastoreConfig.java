package dev.holdfast.api.config;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One configured store.
 *
 * @param name its name: a safe id of 3 to 32 characters
 * @param path its root, an absolute path
 * @param backend where its chunks are
 * @param tuning how it works
 * @param extras what else may be set
 */
public record DatastoreConfig(String name, String path, BackendConfig backend, DatastoreTuning tuning, Extras extras) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._\\-]{2,31}");

    /**
     * @param comment free text of one line
     * @param gcSchedule when to collect garbage, a calendar event
     * @param keep retention policy of a prune that names none
     * @param maintenance why it is not open for all work
     */
    public record Extras(
            Optional<String> comment,
            Optional<String> gcSchedule,
            KeepOptions keep,
            Optional<MaintenanceMode> maintenance) {

        public static final Extras NONE =
                new Extras(Optional.empty(), Optional.empty(), KeepOptions.NONE, Optional.empty());

        public Extras withComment(Optional<String> newComment) {
            return new Extras(newComment, gcSchedule, keep, maintenance);
        }

        public Extras withGcSchedule(Optional<String> newSchedule) {
            return new Extras(comment, newSchedule, keep, maintenance);
        }

        public Extras withKeep(KeepOptions newKeep) {
            return new Extras(comment, gcSchedule, newKeep, maintenance);
        }

        public Extras withMaintenance(Optional<MaintenanceMode> newMode) {
            return new Extras(comment, gcSchedule, keep, newMode);
        }
    }

    public DatastoreConfig {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of a datastore has 3 to 32 letters, digits, '_', '.' or '-', and"
                            + " begins with none of the last two: '" + name + "'");
        }
        if (!path.startsWith("/") || path.chars().anyMatch(c -> c < ' ')) {
            throw new IllegalArgumentException("path must be an absolute path, not '" + path + "'");
        }
        if (path.chars().allMatch(c -> c == '/')) {
            throw new IllegalArgumentException("path must not be the root of the filesystem tree");
        }
    }

    /** A store on a local filesystem with everything at its default. */
    public static DatastoreConfig of(String name, String path) {
        return new DatastoreConfig(name, path, BackendConfig.FILESYSTEM, DatastoreTuning.DEFAULTS, Extras.NONE);
    }

    public DatastoreConfig withTuning(DatastoreTuning newTuning) {
        return new DatastoreConfig(name, path, backend, newTuning, extras);
    }

    public DatastoreConfig withExtras(Extras newExtras) {
        return new DatastoreConfig(name, path, backend, tuning, newExtras);
    }
}
