package dev.holdfast.shell;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the shell. */
public final class HoldfastShell {

    private HoldfastShell() {}

    /** Without arguments: interactive, or a script from standard input; else one command. Exits with its code. */
    public static void main(String[] args) {
        Logging.configure();
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
}
