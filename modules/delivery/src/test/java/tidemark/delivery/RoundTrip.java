package tidemark.delivery;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidemark.decode.Lsn;
import tidemark.replication.TestPostgres;
import tidemark.sink.FelderaClient;
import tidemark.sink.QueryRows;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * Values on their way from PostgreSQL through a real connector and back out of {@code /query}. Every value goes twice:
 * in the copy, with a key from 1 to {@code values}, and in the stream, with {@code values} added to that key.
 */
final class RoundTrip implements AutoCloseable {
    private final TripSource source;
    private final FelderaStandin feldera;
    private final TripEnds ends;
    private final FelderaClient client;

    /** @param directory for the connector's state; of this trip alone */
    RoundTrip(TripSource source, Path directory) {
        this(source, directory, TripTable::inFeldera);
    }

    /** Into tables without key. */
    static RoundTrip keyless(TripSource source, Path directory) {
        return new RoundTrip(source, directory, TripTable::keylessInFeldera);
    }

    private RoundTrip(TripSource source, Path directory, Function<TripTable, String> declared) {
        this.source = source;
        feldera = FelderaStandin.start(StandinSettings.defaults());
        feldera.deploy(TripEnds.PIPELINE, source.tables().stream().map(declared).collect(Collectors.joining()));
        ends = new TripEnds(
                source.url(),
                feldera.url(),
                directory.resolve("state.json"),
                source.tables().stream().map(TripTable::name).toList());
        client = ends.feldera();
        source.begin();
    }

    /** What became of every type's values. */
    List<Outcome> run(Function<TripEnds, Carrier> connector) {
        try (Carrier carrier = connector.apply(ends)) {
            awaitRows(carrier, source.values());
            Lsn end = source.repeat();
            awaitRows(carrier, 2 * source.values());
            TestPostgres.await("everything to be confirmed", () -> {
                carrier.expectRunning();
                return !end.isAfter(source.confirmedFlush(ends.slot()));
            });
            List<NulledValues.Count> nulled = carrier.stop();
            return source.tables().stream()
                    .flatMap(table -> outcomes(table, nulled))
                    .toList();
        }
    }

    /** Copies everything, and sees it go again by TRUNCATE. */
    void truncate() {
        try (Carrier carrier = new CarrierHere(ends)) {
            awaitRows(carrier, source.values());
            source.truncate();
            awaitRows(carrier, 0);
            carrier.stop();
        }
    }

    private void awaitRows(Carrier carrier, int rows) {
        for (TripTable table : source.tables()) {
            TestPostgres.await("%d rows of %s".formatted(rows, table.name()), () -> {
                carrier.expectRunning();
                return count(table) == rows;
            });
        }
    }

    private Stream<Outcome> outcomes(TripTable table, List<NulledValues.Count> nulled) {
        Map<Integer, JsonObject> rows = new HashMap<>();
        query("SELECT * FROM %s".formatted(table.name()), row -> rows.put(row.getInt("id"), row));
        return table.types().stream().map(type -> {
            var comparison = new Comparison(type, source.values(), rows);
            return comparison.outcome(nulled, source.compare(type, comparison));
        });
    }

    private int count(TripTable table) {
        List<Integer> counts = new ArrayList<>();
        query("SELECT count(*) AS n FROM %s".formatted(table.name()), row -> counts.add(row.getInt("n")));
        return counts.getFirst();
    }

    private void query(String sql, Consumer<JsonObject> each) {
        try (QueryRows found = client.query(sql, TwoEnds.LIMITS)) {
            for (Optional<byte[]> row = found.next(); row.isPresent(); row = found.next()) {
                try (var reader = Json.createReader(new ByteArrayInputStream(row.get()))) {
                    each.accept(reader.readObject());
                }
            }
        }
    }

    @Override
    public void close() {
        client.close();
        feldera.close();
    }
}
