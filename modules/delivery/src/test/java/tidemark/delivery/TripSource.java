package tidemark.delivery;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import tidemark.decode.Lsn;
import tidemark.replication.TestPostgres;

/**
 * PostgreSQL's end of round trips: a database with a table per type, full of values made of the seed, and what they
 * must become, told by PostgreSQL too. That SQL has nothing of the encoders, so a mistake would have to be made twice,
 * in two languages.
 *
 * <p>The database's own settings print values otherwise than ours: a setting that nobody pins is found out.
 */
final class TripSource implements AutoCloseable {
    private static final List<String> HOSTILE = List.of(
            "TimeZone = 'Asia/Kathmandu'",
            "DateStyle = 'German'",
            "IntervalStyle = 'sql_standard'",
            "bytea_output = 'escape'",
            "extra_float_digits = -5",
            "search_path = gen, public",
            "quote_all_identifiers = on");

    /** The text forms that are promised, as the connector's sessions pin them. */
    private static final String PROMISED =
            "SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'iso_8601';"
                    + " SET bytea_output = 'hex'; SET extra_float_digits = 3; SET lc_monetary = 'C';"
                    + " SET search_path = pg_catalog; SET quote_all_identifiers = off";

    private final TestPostgres postgres;
    private final String database;
    private final Connection making;
    private final Connection telling;
    private final List<TripTable> tables;
    private final int values;
    private final Map<String, Duration> made = new HashMap<>();

    /**
     * Of any seed, unless {@code tidemark.seed} says which; {@code tidemark.values} says how many values of every type.
     */
    static TripSource any(IntFunction<List<TypeTrip>> types, int values) {
        long seed = Long.getLong("tidemark.seed", System.nanoTime());
        System.out.println("round trip seed: -Dtidemark.seed=" + Long.toString(seed));
        var postgres = TestPostgres.shared();
        return new TripSource(
                postgres, types.apply(postgres.serverMajor()), Integer.getInteger("tidemark.values", values), seed);
    }

    private TripSource(TestPostgres postgres, List<TypeTrip> types, int values, long seed) {
        this.postgres = postgres;
        this.tables = TripTable.of(types);
        this.values = values;
        this.database = postgres.newDatabase();
        for (String setting : HOSTILE) postgres.execute("postgres", "ALTER DATABASE " + database + " SET " + setting);
        this.making = postgres.connect(database);
        this.telling = postgres.connect(database);
        execute(telling, PROMISED);
        execute(making, PROMISED);
        execute(making, "SET search_path = public; CREATE SCHEMA gen; CREATE SCHEMA made");
        execute(
                making,
                "CREATE FUNCTION gen.seed() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT %s::bigint'"
                        .formatted(Long.toString(seed)));
        execute(making, resource("types.sql"));
        execute(making, resource("values.sql"));
        types.forEach(this::make);
        for (TripTable table : tables) {
            execute(making, table.create());
            execute(making, table.fill());
        }
        execute(making, "CREATE PUBLICATION " + TripEnds.PUBLICATION + " FOR ALL TABLES");
    }

    private void make(TypeTrip type) {
        long begun = System.nanoTime();
        execute(making, type.function());
        execute(making, type.make(values));
        made.put(type.name(), Duration.ofNanos(System.nanoTime() - begun));
    }

    List<TripTable> tables() {
        return tables;
    }

    int values() {
        return values;
    }

    String url() {
        return postgres.url(database);
    }

    /** As before the first trip: no slot, and every value once. */
    void begin() {
        postgres.dropSlots(database);
        for (TripTable table : tables) execute(making, table.forget(values));
    }

    /** Every value once more, under another key; where WAL ends after that. */
    Lsn repeat() {
        for (TripTable table : tables) execute(making, table.repeat(values));
        return Lsn.parse(ask("SELECT pg_current_wal_lsn()"));
    }

    void truncate() {
        tables.forEach(table -> execute(making, "TRUNCATE " + table.name()));
    }

    Lsn confirmedFlush(String slot) {
        return Lsn.parse(
                ask("SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '%s'".formatted(slot)));
    }

    /** Compares what came of one type; how long that and making the values took. */
    Duration compare(TypeTrip type, Comparison comparison) {
        long begun = System.nanoTime();
        try (Statement statement = telling.createStatement();
                ResultSet expected = statement.executeQuery(type.expectations())) {
            while (expected.next()) comparison.add(expected);
        } catch (SQLException e) {
            throw new IllegalStateException("no expectation of " + type.name(), e);
        }
        return made.getOrDefault(type.name(), Duration.ZERO).plusNanos(System.nanoTime() - begun);
    }

    private String ask(String sql) {
        try (Statement statement = telling.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            return answer.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static void execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static String resource(String name) {
        try (InputStream file = TripSource.class.getResourceAsStream("/roundtrip/" + name)) {
            return new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try (making;
                telling) {
            postgres.dropSlots(database);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot disconnect", e);
        }
    }
}
