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
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import tidemark.delivery.ExitCode;

/**
 * Everything the demo started, and the temporary directory it lives in: whatever ends the demo, none of it stays.
 *
 * <p>Starting and closing exclude each other: what is being started when a signal comes is interrupted, or closed as
 * soon as it runs, and nothing starts afterwards. Closed once, in reverse order; a second caller waits for the first.
 * Thread safe: the main thread and the shutdown hook both close it. A SIGKILL leaves everything behind.
 */
final class Teardown implements AutoCloseable {
    /** Longer than the slowest orderly end, which is PostgreSQL's (zonky gives it 5 s). */
    private static final long CHILD_EXIT_SECONDS = 10;

    private static final long INTERRUPT_MILLIS = 200;
    /** 20 s: longer than unpacking PostgreSQL takes on a slow disk, which no interrupt ends. */
    private static final int INTERRUPTS = 100;

    /** Something that runs until it is closed; closing it does not fail half-way. */
    interface Running extends AutoCloseable {
        @Override
        void close();
    }

    private final Path directory;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Running> started = new ArrayDeque<>();
    private volatile boolean closing;
    private volatile Optional<Thread> starter = Optional.empty();

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

    boolean isClosing() {
        return closing;
    }

    /** Starts something, unless the demo is already ending. May be called while starting something else. */
    <T extends Running> T start(Supplier<T> starting) {
        lock.lock();
        try {
            if (closing) throw new DemoFailure(ExitCode.TEMPORARY, "the demo is ending");
            starter = Optional.of(Thread.currentThread());
            T running = starting.get();
            started.push(running);
            return running;
        } finally {
            if (lock.getHoldCount() == 1) starter = Optional.empty();
            lock.unlock();
        }
    }

    @Override
    public void close() {
        closing = true;
        boolean alone = interruptStarter();
        try {
            closeAll();
        } finally {
            if (alone) lock.unlock();
        }
    }

    /** Whether what was being started has come to an end; if it does not, it loses its processes all the same. */
    private boolean interruptStarter() {
        try {
            for (int i = 0; i < INTERRUPTS; i++) {
                if (lock.tryLock(INTERRUPT_MILLIS, TimeUnit.MILLISECONDS)) return true;
                starter.ifPresent(Thread::interrupt);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void closeAll() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (RuntimeException e) { // the others still have to go; the sweep below takes what is left
                System.err.println("demo: while ending: " + e.getMessage());
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
