package dev.holdfast.shell;

import dev.holdfast.shell.line.CommandLine;
import dev.holdfast.shell.line.ShellSession;
import java.time.Clock;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.shell.core.command.CommandRegistry;

/**
 * The beans of the shell. There is no auto-configuration: Spring Shell's would look for commands on the class path and bring
 * its own runner, Boot's would look through all its libraries; both cost more than a command takes.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
class ShellConfiguration {

    @Bean
    ShellSession session() {
        return new ShellSession(
                new ShellSession.Streams(System.in, System.out, System.err),
                new ShellSession.Surroundings(System.getenv(), Clock.systemUTC(), System::nanoTime));
    }

    @Bean
    CommandLine commandLine(ShellSession session) {
        return new CommandLine(
                session,
                Commands.CLASSES,
                Commands::instance,
                e -> session.err().println(Logging.keep(e, session.environment())));
    }

    @Bean
    CommandRegistry commandRegistry(CommandLine commands) {
        return commands.catalog().registry();
    }

    @Bean
    ShellRunner shellRunner(CommandLine commands) {
        return new ShellRunner(commands);
    }
}
