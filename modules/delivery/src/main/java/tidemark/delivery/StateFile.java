package tidemark.delivery;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.sink.FelderaName;

/**
 * The state on disk. A write is durable when it returns: a temporary file beside it, fsync, rename over it, fsync of
 * the directory; a crash leaves the old state or the new one. Absent means from scratch; unreadable is an error, never
 * absence.
 *
 * <p>One writer at a time. Reads and writes block on the disk.
 */
final class StateFile {
    static final int VERSION = 1;
    private static final String REMEDY =
            "Restore the file from a copy, or start over: restart the pipeline empty, drop the slot and remove the file.";

    private final Path file;

    StateFile(Path file) {
        this.file = file.toAbsolutePath();
    }

    /** @throws UnreadableState when there is a file that this version cannot use */
    Optional<ReplicationState> read() {
        byte[] bytes;
        try {
            if (Files.notExists(file)) return Optional.empty();
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UnreadableState(
                    "the state file %s cannot be read".formatted(file), "Check its owner and mode.", e);
        }
        try (var reader = Json.createReader(new ByteArrayInputStream(bytes))) {
            JsonObject json = reader.readObject();
            int version = json.getInt("version");
            if (version > VERSION) {
                throw new UnreadableState(
                        "the state file %s has version %d; this Tidemark knows up to %d"
                                .formatted(file, version, VERSION),
                        "Run the Tidemark that wrote it, or a newer one.");
            }
            return Optional.of(decode(json));
        } catch (JsonException
                | IllegalArgumentException
                | ClassCastException
                | ArithmeticException
                | NullPointerException e) {
            throw new UnreadableState("the state file %s is damaged".formatted(file), REMEDY, e);
        }
    }

    /**
     * Finds out before anything is made that only a state can account for: a slot keeps WAL from its first moment.
     *
     * @throws UnreadableState when the disk refuses
     */
    void requireWritable() {
        try {
            writeBeside(new byte[0]);
            Files.delete(successor());
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** @throws UnreadableState when the disk refuses: nothing may be confirmed then */
    void write(ReplicationState state) {
        try {
            writeBeside(encode(state));
            Files.move(successor(), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel entry = FileChannel.open(directory(), StandardOpenOption.READ)) {
                entry.force(true);
            }
        } catch (IOException | UncheckedIOException e) {
            throw unwritable(e);
        }
    }

    private void writeBeside(byte[] content) throws IOException {
        Files.createDirectories(directory());
        try (FileChannel out = FileChannel.open(
                successor(),
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

    private Path successor() {
        return file.resolveSibling(file.getFileName() + ".new");
    }

    private Path directory() {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }

    private static byte[] encode(ReplicationState state) {
        JsonArrayBuilder tables = Json.createArrayBuilder();
        for (ReplicationState.Table table : state.tables()) {
            tables.add(Json.createObjectBuilder()
                    .add("schema", table.postgres().schema())
                    .add("table", table.postgres().table())
                    .add("oid", Integer.toUnsignedLong(table.oid()))
                    .add("feldera", table.feldera().text())
                    .add("felderaCaseSensitive", table.feldera().caseSensitive())
                    .add("stand", table.stand().name())
                    .add("position", table.position().toString())
                    .add("count", table.count()));
        }
        JsonObject json = Json.createObjectBuilder()
                .add("version", VERSION)
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
        for (JsonObject table : json.getJsonArray("tables").getValuesAs(JsonObject.class)) {
            tables.add(new ReplicationState.Table(
                    new RelationName(table.getString("schema"), table.getString("table")),
                    (int) table.getJsonNumber("oid").longValueExact(),
                    new FelderaName(table.getString("feldera"), table.getBoolean("felderaCaseSensitive")),
                    ReplicationState.Stand.valueOf(table.getString("stand")),
                    Lsn.parse(table.getString("position")),
                    table.getJsonNumber("count").longValueExact()));
        }
        return new ReplicationState(
                new ReplicationState.Origin(
                        json.getString("systemIdentifier"),
                        json.getInt("timeline"),
                        json.getString("database"),
                        json.getString("slot")),
                new ReplicationState.Target(json.getString("pipeline"), json.getString("incarnation")),
                json.getBoolean("clean"),
                Lsn.parse(json.getString("confirmed")),
                List.copyOf(tables));
    }
}
