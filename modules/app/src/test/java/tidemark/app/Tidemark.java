package tidemark.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tidemark.replication.TestPostgres;

/** The packaged distribution as a process, with an environment of its own and its output in a file. */
final class Tidemark implements AutoCloseable {
    private static final Path PROGRAM = Path.of("target", "tidemark", "bin", "tidemark");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern STARTED = Pattern.compile("started tidemark .*port=(\\d+)");

    private final Process process;
    private final Path output;

    private Tidemark(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** @param folder the working directory */
    static Tidemark start(Path folder, Map<String, String> environment, String... arguments) {
        Path output = folder.resolve("tidemark.out");
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
            return STARTED.matcher(output()).find();
        });
        Matcher line = STARTED.matcher(output());
        if (!line.find()) throw new AssertionError(output());
        return "http://localhost:" + line.group(1);
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            throw new AssertionError("still runs: " + output());
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
