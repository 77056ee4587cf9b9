package dev.holdfast.engine.wiring;

import java.nio.file.Path;
import java.util.Map;

/** The place of what is worth keeping but nobody's data: task logs, the shell's history. */
public final class StateDirectory {

    private StateDirectory() {}

    /** {@code /var/lib/holdfast} for root, else {@code $XDG_STATE_HOME/holdfast} or {@code ~/.local/state/holdfast}. */
    public static Path byDefault(Map<String, String> environment) {
        String user = System.getProperty("user.name", "");
        return user.equals("root") ? Path.of("/var/lib/holdfast") : ofUser(environment);
    }

    /** The state directory of whoever runs this, root or not. */
    public static Path ofUser(Map<String, String> environment) {
        String xdg = environment.getOrDefault("XDG_STATE_HOME", "");
        String home = environment.getOrDefault("HOME", System.getProperty("user.home", "/"));
        Path base = xdg.startsWith("/") ? Path.of(xdg) : Path.of(home, ".local", "state");
        return base.resolve("holdfast");
    }
}
