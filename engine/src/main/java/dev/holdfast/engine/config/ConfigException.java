package dev.holdfast.engine.config;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The configuration file cannot be used or changed as asked; the message names the file, the place and the reason. */
public final class ConfigException extends IOException {

    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
