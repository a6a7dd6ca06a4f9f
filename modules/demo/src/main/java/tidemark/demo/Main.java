package tidemark.demo;

import java.io.Console;
import java.util.List;
import java.util.Optional;
import tidemark.delivery.ExitCode;

/**
 * The demo's command line. Exit codes are the service's: 0 equal, 1 a difference, 64 usage, the rest as in
 * docs/operations.md.
 */
public final class Main {
    private Main() {}

    public static void main(String[] words) {
        if (List.of(words).contains("--help")) {
            System.out.print(Arguments.USAGE);
            return;
        }
        // The embedded PostgreSQL's library asks for a logger; there is none, and nothing to complain about.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(run(List.of(words)));
    }

    private static int run(List<String> words) {
        Arguments arguments;
        try {
            arguments = Arguments.parse(words);
        } catch (DemoFailure e) {
            System.err.println("demo: " + e.getMessage() + "\n\n" + Arguments.USAGE);
            return e.exitCode();
        }
        try (Teardown teardown = new Teardown()) {
            Runtime.getRuntime().addShutdownHook(new Thread(teardown::close, "teardown"));
            return run(arguments, teardown);
        }
    }

    private static int run(Arguments arguments, Teardown teardown) {
        View view = new View(System.out, isTerminal());
        try {
            return new Demo(arguments, System.getenv(), teardown, view).run().code();
        } catch (DemoFailure e) {
            if (!teardown.isClosing()) System.err.println("demo: " + e.getMessage());
            return e.exitCode();
        } catch (RuntimeException e) {
            // On Ctrl-C everything is taken from under our feet: then this is no news.
            if (!teardown.isClosing()) e.printStackTrace();
            return ExitCode.BROKEN_INVARIANT.code();
        }
    }

    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
                && !"dumb".equals(System.getenv("TERM"));
    }
}
