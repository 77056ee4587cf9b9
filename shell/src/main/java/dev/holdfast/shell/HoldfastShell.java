package dev.holdfast.shell;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the shell. */
public final class HoldfastShell {

    private static final int BUFFER_BYTES = 8192;

    private HoldfastShell() {}

    /** Without arguments: interactive, or a script from standard input; else one command. Exits with its code. */
    public static void main(String[] args) {
        Logging.configure();
        // JSON is UTF-8, whatever the locale.
        System.setOut(utf8(FileDescriptor.out));
        System.setErr(utf8(FileDescriptor.err));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(ShellConfiguration.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .addCommandLineProperties(false)
                .registerShutdownHook(false)
                .lazyInitialization(true)
                .run(args);
        System.exit(SpringApplication.exit(context));
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(
                new BufferedOutputStream(new FileOutputStream(descriptor), BUFFER_BYTES), true, StandardCharsets.UTF_8);
    }
}
