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
 * One process works with a state file at a time: a second one would copy over the first one's rows and write over its
 * marks long before PostgreSQL tells it that the slot is held.
 *
 * <p>An operating system's lock on a file beside the state, which is never removed; gone with the process, however it
 * ends.
 */
final class StateLock implements AutoCloseable {
    private final FileChannel channel;

    private StateLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Empty when another process holds it.
     *
     * @throws UnreadableState when the disk refuses
     */
    static Optional<StateLock> take(Path stateFile) {
        Path beside = stateFile.toAbsolutePath().resolveSibling(stateFile.getFileName() + ".lock");
        try {
            Path directory = beside.getParent();
            if (directory != null) Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (locked(channel)) return Optional.of(new StateLock(channel));
            channel.close();
            return Optional.empty();
        } catch (IOException e) {
            throw new UnreadableState(
                    "the lock file %s cannot be made".formatted(beside),
                    "Check the directory's owner, mode and space.",
                    e);
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
                    "the lock beside the state file cannot be let go", "The end of the process frees it.", e);
        }
    }
}
