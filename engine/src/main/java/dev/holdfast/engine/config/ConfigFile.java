package dev.holdfast.engine.config;

import dev.holdfast.api.config.BackendConfig;
import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.posix.AtomicFile;
import dev.holdfast.posix.Errno;
import dev.holdfast.posix.FileOwner;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.LockHandle;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The configuration file. Reading checks everything against its bounds. Edits are made key by key in memory, leave every
 * other line as it is, and are written at once by {@link #write}. An edit that would make the file wrong is refused as a
 * whole, and what was there before stays. One thread at a time.
 */
public final class ConfigFile {

    /** Read and write for the owner alone: the file names keys of object stores. */
    private static final int NEW_FILE_MODE = 0600;

    private static final int DIRECTORY_MODE = 0755;

    /** A configuration larger than this is none. */
    private static final long MAX_BYTES = 16 * 1024 * 1024;

    private final PosixFiles files;
    private final Path path;
    private byte @Nullable [] content;
    private YamlText text;

    private ConfigFile(PosixFiles files, Path path, byte @Nullable [] content, YamlText text) {
        this.files = files;
        this.path = path;
        this.content = content;
        this.text = text;
    }

    /**
     * Where the configuration is: the option, else {@code $HOLDFAST_CONFIG}, else {@code /etc/holdfast/holdfast.yaml} if it
     * exists, else {@code $XDG_CONFIG_HOME/holdfast/holdfast.yaml} ({@code ~/.config} where that is not set).
     *
     * @param option the value of {@code --config}, or null
     */
    public static Path locate(PosixFiles files, @Nullable Path option, Map<String, String> environment)
            throws ConfigException {
        if (option != null) {
            return option.toAbsolutePath();
        }
        String variable = environment.get("HOLDFAST_CONFIG");
        if (variable != null && !variable.isEmpty()) {
            return Path.of(variable).toAbsolutePath();
        }
        Path system = Path.of("/etc/holdfast/holdfast.yaml");
        try {
            if (files.stat(system, true, new FileStat())) {
                return system;
            }
        } catch (PosixException e) {
            throw new ConfigException("cannot tell whether there is a configuration: " + e.getMessage(), e);
        }
        String xdg = environment.get("XDG_CONFIG_HOME");
        Path base = xdg != null && xdg.startsWith("/")
                ? Path.of(xdg)
                : Path.of(environment.getOrDefault("HOME", "/")).resolve(".config");
        return base.resolve("holdfast").resolve("holdfast.yaml").toAbsolutePath();
    }

    /**
     * Reads a file; one that does not exist says nothing.
     *
     * @throws ConfigException if it cannot be read, or is no YAML, with the line
     */
    public static ConfigFile read(PosixFiles files, Path path) throws ConfigException {
        byte[] content = load(files, path);
        String decoded;
        try {
            decoded = content == null
                    ? ""
                    : StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(content))
                            .toString();
        } catch (CharacterCodingException e) {
            throw new ConfigException(path + ": not a text in UTF-8", e);
        }
        ConfigFile file = new ConfigFile(files, path, content, new YamlText(decoded));
        Map<String, Object> unused = file.tree();
        return file;
    }

    private static byte @Nullable [] load(PosixFiles files, Path path) throws ConfigException {
        try (ReadableFile file = files.openForReading(path)) {
            long size = file.size();
            if (size > MAX_BYTES) {
                throw new ConfigException(path + ": too large for a configuration: " + size + " bytes");
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) size);
            int length = file.read(0, buffer);
            byte[] content = new byte[length];
            buffer.flip().get(content);
            return content;
        } catch (PosixException e) {
            if (e.errno() == Errno.ENOENT) {
                return null;
            }
            throw new ConfigException("cannot read the configuration: " + e.getMessage(), e);
        }
    }

    public Path path() {
        return path;
    }

    /** Whether there was a file when it was read. */
    public boolean exists() {
        return content != null;
    }

    /** The text as it is now, with all edits. */
    public String text() {
        return text.text();
    }

    /**
     * What the file says.
     *
     * @throws ConfigException naming the first problem
     */
    public EngineConfig config() throws ConfigException {
        ConfigReader reader = new ConfigReader();
        EngineConfig config = reader.read(tree());
        if (!reader.problems().isEmpty()) {
            throw new ConfigException(path + ": " + reader.problems().get(0)
                    + (reader.problems().size() > 1
                            ? " (and " + (reader.problems().size() - 1) + " more)"
                            : ""));
        }
        return config;
    }

    /** Everything that is wrong, each with the key's path, the bounds and the value; empty if all is well. */
    public List<String> check() throws ConfigException {
        return checked(tree()).problems();
    }

    /** Paths of keys that mean nothing here. They are kept, but may be misspelt; none of them stops anything. */
    public List<String> unknownKeys() throws ConfigException {
        return checked(tree()).unknown();
    }

    private static ConfigReader checked(Map<String, Object> tree) {
        ConfigReader reader = new ConfigReader();
        EngineConfig unused = reader.read(tree);
        return reader;
    }

    /**
     * Adds a store.
     *
     * @throws ConfigException if there is one of that name, or its path collides with another store's
     */
    public void addDatastore(DatastoreConfig config) throws ConfigException {
        if (names().contains(config.name())) {
            throw new ConfigException(path + ": there is a datastore '" + config.name() + "' already");
        }
        change(text -> text.with(List.of("datastores", config.name()), members(config)));
    }

    private static Map<String, Object> members(DatastoreConfig config) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("path", config.path());
        config.extras().comment().ifPresent(comment -> members.put("comment", comment));
        if (config.backend().type() != BackendConfig.Type.FILESYSTEM) {
            members.put("backend", config.backend().toMap());
        }
        if (!config.tuning().values().isEmpty()) {
            members.put("tuning", config.tuning().toMap());
        }
        config.extras().gcSchedule().ifPresent(schedule -> members.put("gc-schedule", schedule));
        if (!config.extras().keep().toMap().isEmpty()) {
            members.put("keep", config.extras().keep().toMap());
        }
        config.extras().maintenance().ifPresent(mode -> members.put("maintenance-mode", mode.toString()));
        return members;
    }

    /**
     * Removes a store and all that is said of it.
     *
     * @throws ConfigException if there is none of that name
     */
    public void removeDatastore(String name) throws ConfigException {
        requireDatastore(name);
        change(text -> text.without(List.of("datastores", name)));
    }

    /**
     * Sets, or with a null value unsets, members of one store; a name may have a dot for a member of a mapping. All of
     * them are changed, or none.
     *
     * @throws ConfigException if there is no store of that name, or a value is out of its bounds
     */
    public void setOptions(String name, Map<String, @Nullable Object> changes) throws ConfigException {
        requireDatastore(name);
        change(text -> {
            YamlText changed = text;
            for (Map.Entry<String, @Nullable Object> entry : changes.entrySet()) {
                List<String> place = new ArrayList<>(List.of("datastores", name));
                place.addAll(List.of(entry.getKey().split("\\.", 2)));
                Object value = entry.getValue();
                changed = value == null ? changed.without(place) : changed.with(place, value);
            }
            return changed;
        });
    }

    /**
     * Sets and unsets tuning options of one store; every other option, known or not, stays as it is.
     *
     * @throws IllegalArgumentException for an option to set that is not known, or a value out of its bounds
     */
    public void setTuning(String name, Map<String, String> set, List<String> unset) throws ConfigException {
        DatastoreTuning checked = DatastoreTuning.DEFAULTS;
        for (Map.Entry<String, String> entry : set.entrySet()) {
            checked = checked.with(entry.getKey(), entry.getValue());
        }
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        checked.toMap().forEach((key, value) -> changes.put("tuning." + key, value));
        for (String key : unset) {
            changes.put("tuning." + key, null);
        }
        setOptions(name, changes);
    }

    private Set<String> names() throws ConfigException {
        Set<String> names = new LinkedHashSet<>();
        if (tree().get("datastores") instanceof Map<?, ?> stores) {
            stores.keySet().forEach(name -> names.add(String.valueOf(name)));
        }
        return names;
    }

    private void requireDatastore(String name) throws ConfigException {
        if (!names().contains(name)) {
            throw new ConfigException(path + ": there is no datastore '" + name + "'");
        }
    }

    /**
     * Writes all edits at once: atomically, with the mode and owner that the file has.
     *
     * @throws ConfigException if somebody else has changed the file since it was read, or it cannot be written
     */
    public void write() throws ConfigException {
        byte[] bytes = text.text().getBytes(StandardCharsets.UTF_8);
        try {
            Path target = target();
            makeDirectories(target.getParent());
            try (LockHandle lock =
                    files.openLock(target.resolveSibling(target.getFileName() + ".lock"), NEW_FILE_MODE)) {
                if (!lock.tryFlock(true)) {
                    throw new ConfigException(path + " is being changed by another process; try again");
                }
                byte[] now = load(files, path);
                if (!Arrays.equals(now, content)) {
                    throw new ConfigException(path
                            + " was changed by somebody else since it was read; nothing was written," + " try again");
                }
                AtomicFile.replace(files, target, ByteBuffer.wrap(bytes), attributes(), AtomicFile.Durability.FSYNC);
            }
        } catch (ConfigException e) {
            throw e;
        } catch (IOException e) {
            throw new ConfigException("cannot write the configuration: " + e.getMessage(), e);
        }
        content = bytes;
    }

    /** The file itself where {@link #path} is a link to it, so that the link stays one. */
    private Path target() throws IOException {
        try {
            return content == null ? path.toAbsolutePath() : path.toRealPath();
        } catch (NoSuchFileException e) {
            return path.toAbsolutePath(); // gone since it was read: the comparison of the contents will say so
        }
    }

    private AtomicFile.Attributes attributes() throws PosixException {
        FileStat stat = new FileStat();
        if (!files.stat(path, true, stat)) {
            return new AtomicFile.Attributes(FileOwner.UNCHANGED, NEW_FILE_MODE);
        }
        FileOwner owner = files.effectiveUid() == 0 ? new FileOwner(stat.uid(), stat.gid()) : FileOwner.UNCHANGED;
        return new AtomicFile.Attributes(owner, stat.permissions());
    }

    private void makeDirectories(@Nullable Path directory) throws PosixException {
        if (directory != null && !files.stat(directory, true, new FileStat())) {
            makeDirectories(directory.getParent());
            var unused = files.makeDirectory(directory, DIRECTORY_MODE);
        }
    }

    private interface Edit {
        YamlText apply(YamlText text);
    }

    private void change(Edit edit) throws ConfigException {
        try {
            List<String> before = check();
            YamlText changed = edit.apply(text);
            List<String> after = new ArrayList<>(checked(changed.tree()).problems());
            // What was wrong before may stay wrong, or the file could not be mended step by step.
            after.removeAll(before);
            if (!after.isEmpty()) {
                throw new ConfigException(path + ": not changed: " + after.get(0));
            }
            text = changed;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new ConfigException(path + ": " + e.getMessage(), e);
        } catch (YamlEngineException e) {
            throw new ConfigException(path + ": cannot be changed here without damage to it; edit the file by hand", e);
        }
    }

    private Map<String, Object> tree() throws ConfigException {
        try {
            return text.tree();
        } catch (YamlEngineException e) {
            throw syntax(e);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(path + ": " + e.getMessage(), e);
        }
    }

    private ConfigException syntax(YamlEngineException e) {
        if (e instanceof MarkedYamlEngineException marked
                && marked.getProblemMark().isPresent()) {
            return new ConfigException(
                    path + ", line " + (marked.getProblemMark().get().getLine() + 1) + ": " + marked.getProblem(), e);
        }
        return new ConfigException(
                path + ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse("no YAML"), e);
    }
}
