package dev.holdfast.shell.line;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.BackupGroup;
import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;
import dev.holdfast.api.model.SnapshotId;
import java.lang.reflect.Parameter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns words into the types of a command's parameters; every failure names the option or argument. */
final class ValueConversion {

    private static final Map<Class<?>, Function<String, Object>> CONVERSIONS = Map.ofEntries(
            entry(String.class, text -> text),
            entry(Integer.class, ValueConversion::integer),
            entry(Long.class, ValueConversion::number),
            entry(Path.class, ValueConversion::path),
            entry(BackupGroup.class, BackupGroup::parse),
            entry(SnapshotId.class, SnapshotId::parse),
            entry(BackupNamespace.class, BackupNamespace::parse),
            entry(ChunkDigest.class, ChunkDigest::parse),
            entry(CryptMode.class, CryptMode::parse),
            entry(ArchiveName.class, ArchiveName::ofClientName));

    private ValueConversion() {}

    private static Map.Entry<Class<?>, Function<String, Object>> entry(
            Class<?> type, Function<String, Object> conversion) {
        return Map.entry(type, conversion);
    }

    /** The value of an option that was given with these values, perhaps none. */
    static @Nullable Object option(Parameter parameter, String name, List<String> values) throws UsageException {
        Class<?> type = parameter.getType();
        if (type == boolean.class) {
            return !values.isEmpty() && values.get(0).equals("true");
        }
        if (type == List.class) {
            return List.copyOf(values);
        }
        return values.isEmpty() ? null : convert(type, "--" + name, values.get(0));
    }

    static Object convert(Class<?> type, String what, String text) throws UsageException {
        Function<String, Object> conversion = CONVERSIONS.get(type);
        if (conversion == null) {
            throw new IllegalStateException("no conversion to " + type);
        }
        try {
            return conversion.apply(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(what + ": " + e.getMessage());
        }
    }

    private static Object integer(String text) {
        long value = (Long) number(text);
        if (value < Integer.MIN_VALUE || value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("out of range: '" + text + "'");
        }
        return (int) value;
    }

    private static Object number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a whole number: '" + text + "'", e);
        }
    }

    private static Object path(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a path must not be empty");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("not a path: '" + text + "'", e);
        }
    }
}
