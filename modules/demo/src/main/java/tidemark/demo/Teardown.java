package tidemark.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import tidemark.delivery.ExitCode;

/**
 * Everything the demo started, and the temporary directory it lives in: whatever ends the demo, none of it stays.
 *
 * <p>Starting and closing exclude each other: what is being started when a signal comes is closed as soon as it runs, and
 * nothing starts afterwards. Closed once, in reverse order; a second caller waits for the first. Thread safe: the main
 * thread and the shutdown hook both close it. A SIGKILL leaves everything behind.
 */
final class Teardown implements AutoCloseable {
    /** Longer than the slowest orderly end, which is PostgreSQL's (zonky gives it 5 s). */
    private static final long CHILD_EXIT_SECONDS = 10;

    /** Something that runs until it is closed; closing it does not fail half-way. */
    interface Running extends AutoCloseable {
        @Override
        void close();
    }

    private final Path directory;
    private final Deque<Running> started = new ArrayDeque<>();
    private boolean closed;

    Teardown() {
        try {
            directory = Files.createTempDirectory("tidemark-demo-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary directory", e);
        }
    }

    Path directory() {
        return directory;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Starts something, unless the demo is already ending. */
    synchronized <T extends Running> T start(Supplier<T> starting) {
        if (closed) throw new DemoFailure(ExitCode.TEMPORARY, "the demo is ending");
        T running = starting.get();
        started.push(running);
        return running;
    }

    @Override
    public synchronized void close() {
        if (closed) return;
        closed = true;
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (RuntimeException e) { // the others still have to go; the sweep below takes what is left
                System.err.println("demo: could not close in order, killing: " + e.getMessage());
            }
        }
        ProcessHandle.current().descendants().forEach(Teardown::kill);
        deleteDirectory();
    }

    /** By the pid of a process that descends from this one: a half-started child that nobody got to hold. */
    private static void kill(ProcessHandle child) {
        child.destroyForcibly();
        try {
            child.onExit().get(CHILD_EXIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            System.err.println("demo: process " + child.pid() + " does not end: " + e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void deleteDirectory() {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (NoSuchFileException _) {
            // somebody tidied up before us: what we wanted
        } catch (IOException e) {
            System.err.println("demo: could not delete " + directory + ": " + e.getMessage());
        }
    }
}
