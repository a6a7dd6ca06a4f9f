package tidemark.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tidemark.delivery.ExitCode;

/** One process that the demo started, its output in a file. Killed with its own children, by their pids. */
final class ChildProcess implements Teardown.Running {
    private static final int TAIL_LINES = 15;

    private final String name;
    private final Path log;
    private final Process process;

    private ChildProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /** @param environment on top of the demo's own */
    static ChildProcess start(String name, Path log, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            return new ChildProcess(name, log, builder.start());
        } catch (IOException e) {
            throw new DemoFailure(ExitCode.CONFIGURATION, "cannot start %s: %s".formatted(name, command.getFirst()), e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    OptionalInt exitCode() {
        return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    /** SIGKILL: no warning, no hook, nothing flushed. */
    void kill() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
    }

    /** Waits for its end; empty when that did not come in time. */
    OptionalInt await(Duration limit) {
        try {
            process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return exitCode();
    }

    /** SIGTERM; empty when it did not end in time. */
    OptionalInt terminate(Duration limit) {
        process.destroy();
        return await(limit);
    }

    @Override
    public void close() {
        kill();
    }

    /** The first line of output that begins so, if it was written already. */
    Optional<String> line(String beginning) {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith(beginning)).findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the output of " + name, e);
        }
    }

    /** The end of what it printed, for a person. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(its output cannot be read: " + e.getMessage() + ")";
        }
    }

    /** Fails, with its last words, when it has ended by itself. */
    void requireAlive() {
        exitCode().ifPresent(code -> {
            throw new DemoFailure(
                    code == 0 ? ExitCode.BROKEN_INVARIANT.code() : code,
                    "%s ended by itself with exit code %d. Its last words:%n%s".formatted(name, code, lastWords()));
        });
    }
}
