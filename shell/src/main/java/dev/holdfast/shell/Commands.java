package dev.holdfast.shell;

import dev.holdfast.shell.command.GeneralCommands;
import java.util.List;

/** The classes of commands, in the order of help. */
final class Commands {

    static final List<Class<?>> CLASSES = List.of(GeneralCommands.class);

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
