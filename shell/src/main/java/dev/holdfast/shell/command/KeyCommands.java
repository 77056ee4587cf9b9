package dev.holdfast.shell.command;

import dev.holdfast.engine.job.KeyJobs;
import dev.holdfast.engine.job.KeyJobs.KeyFacts;
import dev.holdfast.shell.line.CommandResult;
import dev.holdfast.shell.line.Invocation;
import dev.holdfast.shell.line.UsageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Commands about key files. */
public final class KeyCommands {

    private static final String HINT = "A hint to the passphrase, shown where it is wrong.";
    private static final String KDF =
            "How the passphrase protects the key: scrypt, pbkdf2, or none for a key in the clear. Default: scrypt.";
    private static final String PASSPHRASES =
            "Passphrases are asked for at the terminal, or come from a descriptor, or from HOLDFAST_PASSPHRASE and,"
                    + " for the new one\nof change-passphrase, HOLDFAST_NEW_PASSPHRASE.\n\n";

    @Command(
            name = "key create",
            description = "Make a new key for encrypted or signed backups.",
            help = "Whoever loses the key loses the encrypted backups: keep a copy elsewhere.\n" + PASSPHRASES
                    + "Example:\n  holdfast key create backup.key")
    public CommandResult create(
            Invocation invocation,
            @Argument(index = 0, description = "The new file.") Path file,
            @Option(longName = "passphrase-fd", description = Words.PASSPHRASE_FD) @Nullable Integer passphraseFd,
            @Option(longName = "no-passphrase", description = "Leave the key in the clear: --kdf none.")
                    boolean noPassphrase,
            @Option(longName = "kdf", description = KDF) @Nullable String kdf,
            @Option(longName = "hint", description = HINT) @Nullable String hint)
            throws Exception {
        if (noPassphrase && kdf != null && !kdf.equals("none")) {
            throw new UsageException("--kdf " + kdf + " needs a passphrase; leave out --no-passphrase");
        }
        KeyJobs.Kdf how = noPassphrase ? KeyJobs.Kdf.NONE : kdf(kdf, hint);
        if (noPassphrase && hint != null) {
            throw new UsageException("a hint needs a passphrase; leave out --hint or --no-passphrase");
        }
        KeyFacts facts =
                new KeyJobs(invocation.engine()).create(file, how, Passphrases.choice(invocation, passphraseFd), hint);
        return CommandResult.done(facts, "Made key " + facts.fingerprint() + " in " + facts.path() + ".");
    }

    @Command(
            name = "key show",
            description = "Show a key file, without its key.",
            help = "Example:\n  holdfast key show backup.key")
    public CommandResult show(Invocation invocation, @Argument(index = 0, description = "The file.") Path file)
            throws Exception {
        KeyFacts facts = new KeyJobs(invocation.engine()).show(file);
        return CommandResult.ok(
                facts,
                out -> out.fields(
                        "Key file", facts.path(),
                        "Protection", facts.kdf().equals("none") ? "none, the key is in the clear" : facts.kdf(),
                        "Fingerprint", Words.orDash(facts.fingerprint()),
                        "Made", facts.created(),
                        "Changed", facts.modified(),
                        "Hint", facts.hint()));
    }

    @Command(
            name = "key change-passphrase",
            description = "Protect the same key by another passphrase.",
            help = PASSPHRASES + "Example:\n  holdfast key change-passphrase backup.key")
    public CommandResult changePassphrase(
            Invocation invocation,
            @Argument(index = 0, description = "The file.") Path file,
            @Option(longName = "passphrase-fd", description = Words.PASSPHRASE_FD) @Nullable Integer passphraseFd,
            @Option(longName = "new-passphrase-fd", description = "As --passphrase-fd, for the new passphrase.")
                    @Nullable
                    Integer newPassphraseFd,
            @Option(longName = "kdf", description = KDF) @Nullable String kdf,
            @Option(longName = "hint", description = HINT) @Nullable String hint)
            throws Exception {
        KeyFacts facts = new KeyJobs(invocation.engine())
                .changePassphrase(
                        file,
                        kdf(kdf, hint),
                        Passphrases.of(invocation, passphraseFd),
                        Passphrases.newChoice(invocation, newPassphraseFd),
                        hint);
        return CommandResult.done(facts, "Changed the passphrase of " + facts.path() + ".");
    }

    private static KeyJobs.Kdf kdf(@Nullable String name, @Nullable String hint) throws UsageException {
        try {
            KeyJobs.Kdf kdf = name == null ? KeyJobs.Kdf.SCRYPT : KeyJobs.Kdf.parse(name);
            if (kdf == KeyJobs.Kdf.NONE && hint != null) {
                throw new UsageException("a hint needs a passphrase; leave out --hint or --kdf none");
            }
            return kdf;
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }
}
