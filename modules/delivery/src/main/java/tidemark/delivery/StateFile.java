package tidemark.delivery;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.sink.FelderaName;

/**
 * The state on disk. A write is durable when it returns: a temporary file beside it, fsync, rename over it, fsync of
 * the directory; a crash leaves the old state or the new one. Absent means from scratch; unreadable is an error, never
 * absence.
 *
 * <p>A process that was frozen and replaced must not write over its successor's marks when it wakes up: a write finds
 * the file as this process last saw it, or refuses.
 */
final class StateFile implements StateStore {
    /** 2: a table may stand as MERGING or LEFT_OUT, which older ones would take for damage. */
    static final int VERSION = 2;

    private static final String REMEDY =
            "If the file that was written last is elsewhere, put it back; an older copy does not help. "
                    + Remedy.START_OVER;

    /** In memory; the layer of a container that is made anew from its image. */
    private static final Set<String> FLEETING = Set.of("tmpfs", "ramfs", "overlay", "aufs");

    private final Path file;
    /** What this process last wrote, byte by byte. */
    private Optional<String> written = Optional.empty();
    /** What this process last wrote or read. */
    private Optional<String> seen = Optional.empty();
    /** Of {@link #seen}: a successor that wrote the very same state is a successor all the same. */
    private long number;

    StateFile(Path file) {
        this.file = file.toAbsolutePath();
    }

    /** The type of its file system, where that goes with the container or the machine. */
    Optional<String> fleetingFileSystem() {
        try {
            Path there = directory();
            while (there.getParent() != null && Files.notExists(there)) there = there.getParent();
            return Optional.of(Files.getFileStore(there).type()).filter(FLEETING::contains);
        } catch (IOException _) {
            return Optional.empty(); // whoever writes it will say what is wrong
        }
    }

    /** Without it no service has begun anything here. */
    boolean hasDirectory() {
        return Files.isDirectory(directory());
    }

    @Override
    public Optional<Turn> takeTurn() {
        return FileTurn.take(beside(".lock")).map(turn -> turn);
    }

    @Override
    public synchronized Known read() {
        Optional<String> now = content();
        Optional<ReplicationState> state = now.map(this::decoded);
        seen = now;
        return new Known(state, seen.equals(written));
    }

    /** Empty when there is no file. */
    private Optional<String> content() {
        try {
            return Files.notExists(file)
                    ? Optional.empty()
                    : Optional.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UnreadableState(
                    "the state file %s cannot be read".formatted(file), "Check its owner and mode.", e);
        }
    }

    private ReplicationState decoded(String content) {
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        try (var reader = Json.createReader(new ByteArrayInputStream(bytes))) {
            JsonObject json = reader.readObject();
            int version = json.getInt("version");
            if (version > VERSION) {
                throw new UnreadableState(
                        "the state file %s has version %d; this Tidemark knows up to %d"
                                .formatted(file, version, VERSION),
                        "Run the Tidemark that wrote it, or a newer one.");
            }
            number = json.containsKey("number") ? json.getJsonNumber("number").longValueExact() : 0;
            return decode(json);
        } catch (JsonException
                | IllegalArgumentException
                | ClassCastException
                | ArithmeticException
                | IndexOutOfBoundsException
                | NullPointerException e) {
            throw new UnreadableState("the state file %s is damaged".formatted(file), REMEDY, e);
        }
    }

    @Override
    public synchronized void requireWritable() {
        try (FileTurn _ = writingTurn()) {
            writeBeside(new byte[0]);
            Files.delete(beside(".new"));
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    @Override
    public synchronized void write(ReplicationState state) {
        byte[] bytes = encode(state, number + 1);
        try (FileTurn _ = writingTurn()) {
            writeBeside(bytes);
            Optional<String> now = content();
            if (now.isPresent() && !now.equals(seen)) throw takenOver("wrote the state file " + file);
            Files.move(beside(".new"), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            written = Optional.of(new String(bytes, StandardCharsets.ISO_8859_1));
            seen = written;
            number++;
            FileTurn.force(directory());
        } catch (IOException | UncheckedIOException e) {
            throw unwritable(e);
        }
    }

    /** Held by a process that was frozen while it wrote: what it does when it wakes up must not come after us. */
    private FileTurn writingTurn() {
        return FileTurn.take(beside(".writing")).orElseThrow(() -> takenOver("is writing the state file " + file));
    }

    private static SessionOver takenOver(String what) {
        return new SessionOver(new Failure.Transient(
                "another Tidemark " + what,
                "Stop one of the two, or give each a slot and a state.file of its own.",
                true));
    }

    private void writeBeside(byte[] content) throws IOException {
        try (FileChannel out = FileChannel.open(
                beside(".new"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) out.write(bytes);
            out.force(true);
        }
    }

    private UnreadableState unwritable(Exception e) {
        return new UnreadableState(
                "the state file %s cannot be written (%s)"
                        .formatted(file, e.getClass().getSimpleName()),
                "Check the directory's owner, mode and free space.",
                e);
    }

    private Path beside(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private Path directory() {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }

    private static byte[] encode(ReplicationState state, long number) {
        JsonArrayBuilder tables = Json.createArrayBuilder();
        for (ReplicationState.Table table : state.tables()) {
            JsonObjectBuilder json = Json.createObjectBuilder()
                    .add("schema", table.postgres().schema())
                    .add("table", table.postgres().table())
                    .add("oid", Integer.toUnsignedLong(table.oid()))
                    .add("feldera", table.feldera().text())
                    .add("felderaCaseSensitive", table.feldera().caseSensitive())
                    .add("stand", table.stand().name())
                    .add("position", table.position().toString())
                    .add("count", table.count())
                    .add("taken", table.taken());
            table.edition().ifPresent(edition -> json.add("edition", EditionJson.encode(edition)));
            tables.add(json);
        }
        JsonObject json = Json.createObjectBuilder()
                .add("version", VERSION)
                .add("number", number)
                .add("systemIdentifier", state.origin().systemIdentifier())
                .add("timeline", state.origin().timeline())
                .add("database", state.origin().database())
                .add("slot", state.origin().slot())
                .add("pipeline", state.target().address())
                .add("incarnation", state.target().incarnation())
                .add("clean", state.clean())
                .add("confirmed", state.confirmed().toString())
                .add("tables", tables)
                .build();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonWriter writer = Json.createWriter(bytes)) {
            writer.writeObject(json);
        }
        return bytes.toByteArray();
    }

    private static ReplicationState decode(JsonObject json) {
        List<ReplicationState.Table> tables = new ArrayList<>();
        // A Tidemark that kept no counts stopped, cleanly or not, after at least so many operations.
        boolean counted = true;
        for (JsonObject table : json.getJsonArray("tables").getValuesAs(JsonObject.class)) {
            var name = new RelationName(table.getString("schema"), table.getString("table"));
            int oid = (int) table.getJsonNumber("oid").longValueExact();
            long count = table.getJsonNumber("count").longValueExact();
            counted &= table.containsKey("taken");
            tables.add(new ReplicationState.Table(
                    name,
                    oid,
                    new FelderaName(table.getString("feldera"), table.getBoolean("felderaCaseSensitive")),
                    ReplicationState.Stand.valueOf(table.getString("stand")),
                    Lsn.parse(table.getString("position")),
                    count,
                    table.containsKey("taken") ? table.getJsonNumber("taken").longValueExact() : count,
                    table.containsKey("edition")
                            ? Optional.of(EditionJson.decode(name, oid, table.getJsonObject("edition")))
                            : Optional.empty()));
        }
        return new ReplicationState(
                new ReplicationState.Origin(
                        json.getString("systemIdentifier"),
                        json.getInt("timeline"),
                        json.getString("database"),
                        json.getString("slot")),
                new ReplicationState.Target(json.getString("pipeline"), json.getString("incarnation")),
                json.getBoolean("clean") && counted,
                Lsn.parse(json.getString("confirmed")),
                List.copyOf(tables));
    }
}
