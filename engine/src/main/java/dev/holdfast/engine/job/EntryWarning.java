package dev.holdfast.engine.job;

import java.util.Locale;

/**
 * One entry of a tree that was not backed up or restored as it is.
 *
 * @param kind what happened, for example {@code vanished} or {@code metadata-not-restored}
 * @param path of the entry
 * @param detail the reason
 */
public record EntryWarning(String kind, String path, String detail) {

    static EntryWarning of(Enum<?> kind, String path, String detail) {
        return new EntryWarning(kind.name().toLowerCase(Locale.ROOT).replace('_', '-'), path, detail);
    }

    String line() {
        return kind + ": " + (detail.startsWith(path) ? detail : path + ": " + detail);
    }
}
