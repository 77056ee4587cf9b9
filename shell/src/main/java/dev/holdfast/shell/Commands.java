package dev.holdfast.shell;

import dev.holdfast.shell.command.ArchiveCommands;
import dev.holdfast.shell.command.BackupCommands;
import dev.holdfast.shell.command.ConfigCommands;
import dev.holdfast.shell.command.DatastoreCommands;
import dev.holdfast.shell.command.DirCommands;
import dev.holdfast.shell.command.GcCommands;
import dev.holdfast.shell.command.GeneralCommands;
import dev.holdfast.shell.command.GroupCommands;
import dev.holdfast.shell.command.InspectCommands;
import dev.holdfast.shell.command.KeyCommands;
import dev.holdfast.shell.command.MaintenanceCommands;
import dev.holdfast.shell.command.SnapshotCommands;
import dev.holdfast.shell.command.TuningCommands;
import dev.holdfast.shell.quickstart.QuickStartCommands;
import java.util.List;

/** The classes of commands, in the order of help. */
final class Commands {

    static final List<Class<?>> CLASSES = List.of(
            DatastoreCommands.class,
            TuningCommands.class,
            BackupCommands.class,
            DirCommands.class,
            ArchiveCommands.class,
            SnapshotCommands.class,
            GroupCommands.class,
            GcCommands.class,
            MaintenanceCommands.class,
            InspectCommands.class,
            KeyCommands.class,
            ConfigCommands.class,
            QuickStartCommands.class,
            GeneralCommands.class);

    private Commands() {}

    /** Makes the object that has the commands of a class. */
    static Object instance(Class<?> type) {
        try {
            return type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " needs a public constructor without parameters", e);
        }
    }
}
