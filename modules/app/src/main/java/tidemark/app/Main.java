package tidemark.app;

import jakarta.enterprise.inject.spi.CDI;
import java.io.PrintStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.eclipse.microprofile.config.Config;
import tidemark.delivery.ExitCode;

/** The command line: understands it, and ends the process with the code that is due. */
public final class Main {
    private Main() {}

    public static void main(String[] words) {
        switch (CommandLine.parse(words)) {
            case CommandLine.Run(Optional<Path> file) -> run(file);
            case CommandLine.Verify(Optional<Path> file, List<String> tables, boolean mends) ->
                exit(verify(file, tables, mends));
            case CommandLine.Resync(Optional<Path> file, String table, boolean cancels) ->
                exit(resync(file, table, cancels));
            case CommandLine.Status(Optional<Path> file) -> exit(status(file));
            case CommandLine.SlotDrop(Optional<Path> file, boolean asks) -> exit(dropSlot(file, asks));
            case CommandLine.ShowConfiguration(Optional<Path> file) -> exit(show(file, System.out, System.err));
            case CommandLine.Help _ -> print(System.out, CommandLine.USAGE);
            case CommandLine.Version _ -> print(System.out, "tidemark " + version() + System.lineSeparator());
            case CommandLine.Misuse(String why) -> {
                print(System.err, "tidemark: " + why + System.lineSeparator() + CommandLine.USAGE);
                exit(ExitCode.USAGE);
            }
        }
    }

    /**
     * Hears signals before anything else; checks the configuration before anything is started; then starts the
     * container, and stays until delivery has ended.
     */
    private static void run(Optional<Path> file) {
        var end = new ProcessEnd();
        try {
            StopSignals.call(end::signalled);
            Settings settings = Settings.read(ConfigurationSources.register(file));
            end.with(ran(settings, end));
        } catch (Misconfigured misconfigured) {
            complain(misconfigured, System.err);
            end.with(ExitCode.CONFIGURATION);
        }
    }

    private static ExitCode ran(Settings settings, ProcessEnd end) {
        Wiring wired;
        try {
            settings.door().server().requireFree();
            io.helidon.Main.main(new String[0]);
            wired = CDI.current().select(Wiring.class).get();
        } catch (RuntimeException failure) {
            return StartFailure.report(failure);
        }
        end.drains(wired);
        wired.run().start();
        return wired.run().await();
    }

    private static ExitCode verify(Optional<Path> file, List<String> tables, boolean mends) {
        return reporting(line -> {
            try {
                return VerifyCommand.run(Settings.read(ConfigurationSources.register(file)), tables, mends, line);
            } catch (VerifyCommand.Misnamed misnamed) {
                print(System.err, "tidemark: " + misnamed.getMessage() + System.lineSeparator());
                return ExitCode.USAGE;
            }
        });
    }

    private static ExitCode resync(Optional<Path> file, String table, boolean cancels) {
        var stop = new CommandStop();
        return reporting(line -> {
            try (var door = new Door(DoorSettings.read(ConfigurationSources.register(file)))) {
                StopSignals.call(_ -> stop.ask());
                var resync = new ResyncBeside(door, line, stop);
                return cancels ? resync.cancel(table) : resync.run(table);
            }
        });
    }

    private static ExitCode status(Optional<Path> file) {
        return reporting(line -> {
            try (var door = new Door(DoorSettings.read(ConfigurationSources.register(file)))) {
                line.accept(door.status());
                return ExitCode.DRAINED;
            }
        });
    }

    private static ExitCode dropSlot(Optional<Path> file, boolean asks) {
        return reporting(line -> SlotDropCommand.run(
                SourceSettings.read(ConfigurationSources.register(file)), asks, System.in, System.err, line));
    }

    /** What was found is for standard output alone, so that it can be kept; the log goes to standard error. */
    private static ExitCode reporting(Function<Consumer<String>, ExitCode> command) {
        PrintStream out = System.out;
        System.setOut(System.err);
        try {
            return command.apply(line -> {
                out.println(line);
                out.flush();
            });
        } catch (Misconfigured misconfigured) {
            complain(misconfigured, System.err);
            return ExitCode.CONFIGURATION;
        } catch (Door.Shut shut) {
            print(System.err, "tidemark: %s: %s%n".formatted(shut.getMessage(), shut.remedy()));
            return shut.exit();
        } catch (RuntimeException failure) {
            return StartFailure.report(failure);
        }
    }

    private static ExitCode show(Optional<Path> file, PrintStream out, PrintStream err) {
        try {
            Config config = ConfigurationSources.register(file);
            EffectiveConfiguration.lines(config).forEach(out::println);
            Settings.read(config);
            return ExitCode.DRAINED;
        } catch (Misconfigured misconfigured) {
            complain(misconfigured, err);
            return ExitCode.CONFIGURATION;
        }
    }

    private static void complain(Misconfigured misconfigured, PrintStream err) {
        err.println("tidemark: the configuration cannot be used:");
        misconfigured.problems().forEach(problem -> err.println("  " + problem));
    }

    static String version() {
        return Optional.ofNullable(Main.class.getModule().getDescriptor())
                .flatMap(ModuleDescriptor::rawVersion)
                .orElse("(not packaged)");
    }

    private static void print(PrintStream to, String text) {
        to.print(text);
        to.flush();
    }

    private static void exit(ExitCode code) {
        System.exit(code.code());
    }
}
