package tidemark.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tidemark.replication.TestPostgres;

/** The packaged distribution as a process, with an environment of its own and its output in a file. */
final class Tidemark implements AutoCloseable {
    private static final Path PROGRAM = Path.of("target", "tidemark", "bin", "tidemark");
    /** Of one test JVM: two would write it at once. */
    private static final Path CLASSES =
            Path.of("target", "classes-%d.jsa".formatted(ProcessHandle.current().pid()));

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    private static final Pattern STARTED = Pattern.compile("started tidemark .*port=(\\d+)");
    private static final Pattern PEAK_MEMORY = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    private final Process process;
    private final Path output;

    private Tidemark(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** The least that it starts with, one table {@code users} and a free port. */
    static Map<String, String> environment(String postgres, String feldera) {
        return new HashMap<>(Map.of(
                "POSTGRES_URL", postgres,
                "POSTGRES_USER", TestPostgres.USER,
                "POSTGRES_SSLMODE", "disable",
                "FELDERA_URL", feldera,
                "FELDERA_PIPELINE", "shop",
                "FELDERA_REQUEST_LIMIT", "PT1S",
                "TABLES", "users",
                "SERVER_PORT", "0"));
    }

    /** @param folder the working directory */
    static Tidemark start(Path folder, Map<String, String> environment, String... arguments) {
        return start(folder, folder.resolve("tidemark.out"), environment, arguments);
    }

    static Tidemark start(Path folder, Path output, Map<String, String> environment, String... arguments) {
        var command = new ArrayList<String>(List.of(PROGRAM.toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        String path = builder.environment().get("PATH");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_OPTS", CaseRun.QUICK_START + CLASSES.toAbsolutePath());
        builder.environment().putAll(environment);
        try {
            return new Tidemark(builder.start(), output);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The base of its HTTP server, once it listens. */
    String url() {
        TestPostgres.await("the started line", () -> {
            if (!process.isAlive())
                throw new AssertionError("ended with %d: %s".formatted(process.exitValue(), output()));
            return urlSoFar().isPresent();
        });
        return urlSoFar().orElseThrow();
    }

    /** The same; empty while it does not listen yet. */
    Optional<String> urlSoFar() {
        Matcher line = STARTED.matcher(output());
        return line.find() ? Optional.of("http://localhost:" + line.group(1)) : Optional.empty();
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    String lastLine() {
        return output().strip().lines().toList().getLast();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** On its standard input, and nothing after it. */
    void answer(String line) {
        try (var in = process.outputWriter()) {
            in.write(line + System.lineSeparator());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** SIGKILL; returns when it is gone. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** @param name STOP or CONT: what Java has no word for */
    void signal(String name) {
        try {
            var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (kill.onExit().join().exitValue() != 0) throw new AssertionError("cannot send SIG" + name);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The most memory that the process ever had, as Linux counts it. */
    long peakMemoryMegabytes() {
        try {
            Matcher peak =
                    PEAK_MEMORY.matcher(Files.readString(Path.of("/proc", Long.toString(process.pid()), "status")));
            if (!peak.find()) throw new AssertionError("the process is gone");
            return Long.parseLong(peak.group(1)) / 1024;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The same of one that ends by itself, looked at until it has. */
    long peakMemoryMegabytesAtItsEnd() {
        long peak = 0;
        while (process.isAlive()) {
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
            try {
                Matcher found =
                        PEAK_MEMORY.matcher(Files.readString(Path.of("/proc", Long.toString(process.pid()), "status")));
                if (found.find()) peak = Math.max(peak, Long.parseLong(found.group(1)) / 1024);
            } catch (IOException _) {
                return peak; // gone between two looks
            }
        }
        return peak;
    }

    int exitCode() throws InterruptedException {
        return exitCode(PATIENCE);
    }

    int exitCode(Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS))
            throw new AssertionError("still runs: " + output());
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }
}
