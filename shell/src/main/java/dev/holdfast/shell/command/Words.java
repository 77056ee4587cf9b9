package dev.holdfast.shell.command;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.engine.job.Listing;
import dev.holdfast.engine.job.Scope;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.UsageException;
import dev.holdfast.shell.output.TextOutput;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What commands have in common: descriptions of arguments, and small pieces of results. */
final class Words {

    static final String STORE = "The datastore.";
    static final String SNAPSHOT = "The snapshot, for example vm/100/2026-01-31T12:00:00Z.";
    static final String GROUP = "The group, for example vm/100.";
    static final String NS = "The namespace, for example a/b. Default: the root.";
    static final String TIME = "Time of the snapshot: 2026-01-31T12:00:00Z or Unix seconds. Default: now.";
    static final String KEYFILE = "Key file, for encrypted content or to check a signature.";
    static final String CRYPT_MODE = "none, sign-only or encrypt. Default: encrypt with a key file, else none.";
    static final String PASSPHRASE_FD =
            "Read the key's passphrase from this descriptor, to its end; one line end there does not count.";
    static final String MAX_DEPTH = "Levels of namespaces below to include, 0 to 7. Default: 7.";

    static final String KEEP_LAST = "Keep so many of the newest snapshots.";
    static final String KEEP_HOURLY = "Keep the newest snapshot of so many hours.";
    static final String KEEP_DAILY = "Keep the newest snapshot of so many days.";
    static final String KEEP_WEEKLY = "Keep the newest snapshot of so many weeks, Monday to Sunday.";
    static final String KEEP_MONTHLY = "Keep the newest snapshot of so many months.";
    static final String KEEP_YEARLY = "Keep the newest snapshot of so many years.";

    private Words() {}

    /** Splits {@code KEY=VALUE} words. */
    static Map<String, String> assignments(List<String> words) throws UsageException {
        Map<String, String> values = new LinkedHashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals <= 0) {
                throw new UsageException("expected KEY=VALUE, not '" + word + "'");
            }
            if (values.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
                throw new UsageException(word.substring(0, equals) + " is given twice");
            }
        }
        return values;
    }

    /** A time as Unix seconds; null stays null. */
    static @Nullable Long seconds(@Nullable String time) throws UsageException {
        if (time == null) {
            return null;
        }
        try {
            return time.matches("\\d+")
                    ? Long.parseLong(time)
                    : OffsetDateTime.parse(time).toEpochSecond();
        } catch (DateTimeParseException | NumberFormatException e) {
            throw new UsageException(
                    "--time: neither a time like 2026-01-31T12:00:00Z nor Unix seconds: '" + time + "'");
        }
    }

    static String orDash(@Nullable Object value) {
        return value == null ? "-" : value.toString();
    }

    static String orEmpty(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    /** A JSON object that names a thing of a store. */
    static Map<String, Object> named(String store, @Nullable BackupNamespace ns, String key, Object value) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("datastore", store);
        json.put("ns", Scope.namespaceOrRoot(ns).toString());
        json.put(key, value);
        return json;
    }

    /** The result of a listing; what could not be read is told on standard error, and by the exit code. */
    static CommandResult listing(Invocation invocation, Listing<?> listing, Object json, Consumer<TextOutput> text) {
        listing.warnings().forEach(invocation::warn);
        return CommandResult.ok(json, text).withWarnings(listing.warnings().size());
    }
}
