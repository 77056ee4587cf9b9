package dev.holdfast.api.config;

import dev.holdfast.api.schema.OptionSchema;
import dev.holdfast.api.schema.OptionSchema.ChoiceOption;
import dev.holdfast.api.schema.OptionSchema.Text;
import dev.holdfast.api.schema.OptionSchema.TextOption;
import java.util.List;
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

    /** What the name of a store must be. It is a key of the configuration file, not an option. */
    public static final TextOption NAME = new TextOption(
            "datastore name",
            "3 to 32 letters, digits, '_', '.' or '-', and begin with none of the last two",
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._\\-]{2,31}"),
            new Text("", "Stands in task ids, lock names and URLs; the bounds are those of Proxmox Backup Server."));

    private static final TextOption PATH = new TextOption(
            "path",
            "an absolute path of 2 to 4096 characters, not '/', without control characters and without '.' or '..' as a"
                    + " component",
            Pattern.compile("(?=[^\\p{Cntrl}]{2,4096}\\z)(?:/+(?!\\.{1,2}(?:/|\\z))[^/]+)+/*"),
            new Text(
                    "",
                    "Root directory of the store; required. Absolute and without '..', so that it means the same place"
                            + " to everybody who reads the file; 4096 is the longest path that Linux takes."));
    private static final TextOption COMMENT = new TextOption(
            "comment",
            "one line of at most 4096 characters, without control characters",
            Pattern.compile("[^\\p{Cntrl}]{0,4096}"),
            new Text("", "Free text for listings, which show one line for each store."));
    private static final TextOption GC_SCHEDULE = new TextOption(
            "gc-schedule",
            "a calendar event of at most 128 characters, for example daily or 'sat 03:00'",
            Pattern.compile("[A-Za-z0-9*][A-Za-z0-9 *,:./~\\-]{0,127}"),
            new Text("", "When a server collects garbage on its own; unset: never."));
    private static final ChoiceOption MAINTENANCE_MODE = new ChoiceOption(
            "maintenance-mode",
            List.of("read-only", "offline", "delete"),
            Optional.empty(),
            new Text(
                    "",
                    "Which work is refused: writing (read-only), reading as well (offline), or everything, because the"
                            + " store is being deleted (delete). Unset: none."));

    private static final List<OptionSchema> OPTIONS = List.of(PATH, COMMENT, GC_SCHEDULE, MAINTENANCE_MODE);

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

        public Extras {
            comment = comment.map(COMMENT::check);
            gcSchedule = gcSchedule.map(GC_SCHEDULE::check);
        }

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

    /** @throws dev.holdfast.api.schema.SchemaViolationException for a name or path out of its bounds */
    public DatastoreConfig {
        name = NAME.check(name);
        path = PATH.check(path);
    }

    /**
     * The schemas of the single-valued members of a store, in the order in which they are shown. Its mappings have their
     * own: {@link BackendConfig#options}, {@link DatastoreTuning#options}, {@link KeepOptions#options}.
     */
    public static List<OptionSchema> options() {
        return OPTIONS;
    }

    /** A store on a local filesystem with everything at its default. */
    public static DatastoreConfig of(String name, String path) {
        return new DatastoreConfig(name, path, BackendConfig.FILESYSTEM, DatastoreTuning.DEFAULTS, Extras.NONE);
    }

    public DatastoreConfig withBackend(BackendConfig newBackend) {
        return new DatastoreConfig(name, path, newBackend, tuning, extras);
    }

    public DatastoreConfig withTuning(DatastoreTuning newTuning) {
        return new DatastoreConfig(name, path, backend, newTuning, extras);
    }

    public DatastoreConfig withExtras(Extras newExtras) {
        return new DatastoreConfig(name, path, backend, tuning, newExtras);
    }
}
