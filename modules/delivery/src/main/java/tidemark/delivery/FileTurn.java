package tidemark.delivery;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * An operating system's lock on a file of its own, which is never removed: one process at a time has it; gone with the
 * process, however it ends, but not while it is frozen.
 */
final class FileTurn implements StateStore.Turn {
    private final FileChannel channel;

    private FileTurn(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Empty when another process has it.
     *
     * @throws UnreadableState when the disk refuses
     */
    static Optional<FileTurn> take(Path lockFile) {
        try {
            Path directory = lockFile.getParent();
            if (directory != null) make(directory);
            FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (locked(channel)) return Optional.of(new FileTurn(channel));
            channel.close();
            return Optional.empty();
        } catch (IOException e) {
            throw new UnreadableState(
                    "the lock file %s cannot be made".formatted(lockFile),
                    "Check the directory's owner, mode and space.",
                    e);
        }
    }

    /** Durable with those above it that are made. */
    private static void make(Path directory) throws IOException {
        if (Files.isDirectory(directory)) return;
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) make(parent);
        Files.createDirectories(directory);
        if (parent != null) force(parent);
    }

    /** What was made or renamed in it is durable; as far as it may be read. */
    static void force(Path directory) throws IOException {
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException _) {
            return false; // held in this process
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UnreadableState(
                    "a lock beside the state file cannot be let go", "The end of the process frees it.", e);
        }
    }
}
