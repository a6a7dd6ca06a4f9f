package tidemark.demo;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The demo's proof for others, and stricter: whether tables are the same on both sides to the last digit. A side that
 * cannot be read is a difference like any other, for whoever asks will ask again.
 *
 * <p>Owned by one thread.
 */
public final class Proof implements AutoCloseable {
    private final SourceDatabase database;
    private final Pipeline pipeline;

    /** @param postgres {@code jdbc:postgresql://…}, readable by this user without a password */
    public Proof(String postgres, String user, String feldera, String pipeline) {
        this.database = new SourceDatabase(postgres, user, "");
        this.pipeline = new Pipeline(URI.create(feldera), pipeline, "");
    }

    /**
     * What differs, in words and without values outside the key; empty when nothing does.
     *
     * @param tolerated by Feldera column, {@code *} for all: what may be null there because Feldera has no form for it
     */
    public List<String> differences(
            String schema, String table, String feldera, Map<String, Set<Tolerance>> tolerated) {
        try {
            ComparedTable compared = ComparedTable.of(
                    schema + "." + table,
                    database.columns(schema, table),
                    pipeline.table(feldera),
                    new StoragePolicy.Exact(tolerated));
            try (PostgresRows source = new PostgresRows(database, compared);
                    FelderaRows destination = new FelderaRows(pipeline, compared)) {
                return words(TableProof.of(compared, source, destination));
            }
        } catch (DemoFailure failure) {
            return List.of("%s cannot be compared: %s".formatted(table, failure.getMessage()));
        }
    }

    private static List<String> words(TableProof proof) {
        if (proof.isEqual()) return List.of();
        List<String> words = new ArrayList<>(List.of("%s: %d rows in PostgreSQL, %d in Feldera, %d different"
                .formatted(proof.table(), proof.postgresRows(), proof.felderaRows(), proof.differences())));
        words.addAll(proof.examples());
        return words;
    }

    /**
     * The rows of a small Feldera table in key order, values in the order of the table's columns, as Feldera answers
     * them.
     */
    public List<List<JsonValue>> rows(String feldera) {
        Pipeline.Table table = pipeline.table(feldera);
        String query = "select * from %s order by %s"
                .formatted(
                        quoted(table.name()),
                        table.primaryKey().stream().map(Proof::quoted).collect(Collectors.joining(", ")));
        return answer(query).stream()
                .map(row -> table.columns().stream()
                        .map(column -> row.getOrDefault(column.name(), JsonValue.NULL))
                        .toList())
                .toList();
    }

    /** How many rows a Feldera table has. */
    public long count(String feldera) {
        return answer("select count(*) as n from "
                        + quoted(pipeline.table(feldera).name()))
                .getFirst()
                .getJsonNumber("n")
                .longValueExact();
    }

    @Override
    public void close() {
        pipeline.close();
    }

    private List<JsonObject> answer(String query) {
        try (var lines = new BufferedReader(new InputStreamReader(pipeline.query(query), StandardCharsets.UTF_8))) {
            return lines.lines().map(Proof::object).toList();
        } catch (IOException | JsonException e) {
            throw new IllegalStateException("Feldera's answer cannot be read: " + query, e);
        } catch (UncheckedIOException e) {
            throw new IllegalStateException("Feldera broke off its answer: " + query, e);
        }
    }

    private static JsonObject object(String line) {
        try (JsonReader reader = Json.createReader(new StringReader(line))) {
            return reader.readObject();
        }
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
