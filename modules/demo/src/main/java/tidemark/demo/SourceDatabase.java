package tidemark.demo;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import tidemark.decode.Lsn;
import tidemark.delivery.ExitCode;

/**
 * The demo's own look at PostgreSQL, independent of the service: positions, columns, rows.
 *
 * <p>Immutable; every question has a connection of its own, so any thread may ask.
 *
 * @param jdbcUrl without credentials
 * @param password empty for none; never printed
 */
record SourceDatabase(String jdbcUrl, String user, String password) {
    /** The same text as the replication stream has: what is compared is what was sent. */
    private static final String OUTPUT_OPTIONS = "-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=iso_8601"
            + " -c extra_float_digits=3 -c bytea_output=hex -c statement_timeout=0";

    /** A column that PostgreSQL publishes, in attribute order. */
    record Column(String name, String type) {}

    /** From a URL in either form; credentials in it win over those of the environment. */
    static SourceDatabase of(String url, Map<String, String> environment) {
        String plain = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
        URI parsed;
        try {
            parsed = URI.create(plain);
        } catch (IllegalArgumentException _) {
            throw new DemoFailure(ExitCode.USAGE, "--postgres is not a URL such as postgresql://host:5432/database");
        }
        if (!List.of("postgresql", "postgres").contains(String.valueOf(parsed.getScheme()))
                || parsed.getHost() == null) {
            throw new DemoFailure(ExitCode.USAGE, "--postgres is not a URL such as postgresql://host:5432/database");
        }
        List<String> credentials = Optional.ofNullable(parsed.getUserInfo())
                .map(text -> List.of(text.split(":", 2)))
                .orElse(List.of());
        String port = parsed.getPort() < 0 ? "" : ":" + parsed.getPort();
        String query = Optional.ofNullable(parsed.getRawQuery())
                .map(text -> "?" + text)
                .orElse("");
        return new SourceDatabase(
                "jdbc:postgresql://" + parsed.getHost() + port + parsed.getRawPath() + query,
                credentials.isEmpty() ? environment.getOrDefault("POSTGRES_USER", "postgres") : credentials.getFirst(),
                credentials.size() < 2 ? environment.getOrDefault("POSTGRES_PASSWORD", "") : credentials.get(1));
    }

    @SuppressWarnings("MustBeClosedChecker") // the caller closes it
    Connection connect() {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        if (!password.isEmpty()) properties.setProperty("password", password);
        properties.setProperty("options", OUTPUT_OPTIONS);
        properties.setProperty("ApplicationName", "tidemark demo");
        try {
            return DriverManager.getConnection(jdbcUrl, properties);
        } catch (SQLException e) {
            throw failed("cannot connect to PostgreSQL", e);
        }
    }

    void execute(String sql) {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        } catch (SQLException e) {
            throw failed("PostgreSQL refused a statement of the demo", e);
        }
    }

    /** The end of WAL that is safely on disk: what a settled connector must have confirmed. */
    Lsn walEnd() {
        return Lsn.parse(one("SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() "
                        + "ELSE pg_current_wal_flush_lsn() END::text")
                .orElseThrow());
    }

    /** What the slot itself says it may forget up to; empty while there is no such slot. */
    Optional<Lsn> confirmedFlush(String slot) {
        return one("SELECT confirmed_flush_lsn::text FROM pg_replication_slots WHERE slot_name = ?", slot)
                .map(Lsn::parse);
    }

    boolean hasPublication(String name) {
        return one("SELECT pubname::text FROM pg_publication WHERE pubname = ?", name)
                .isPresent();
    }

    void dropSlot(String slot) {
        one("SELECT pg_drop_replication_slot(slot_name)::text FROM pg_replication_slots WHERE slot_name = ?", slot);
    }

    /** Of an ordinary or partitioned table; types as {@code format_type} prints them, a domain's as its base. */
    List<Column> columns(String schema, String table) {
        String sql = """
                SELECT a.attname::text, CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod)
                  ELSE format_type(t.oid, a.atttypmod) END
                FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
                JOIN pg_type t ON t.oid = a.atttypid
                WHERE n.nspname = ? AND c.relname = ? AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum\
                """;
        List<Column> columns = new ArrayList<>();
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) columns.add(new Column(rows.getString(1), rows.getString(2)));
            }
        } catch (SQLException e) {
            throw failed("cannot read the columns of %s.%s".formatted(schema, table), e);
        }
        return columns;
    }

    /** The first column of the first row; empty for no row and for NULL. */
    private Optional<String> one(String sql, String... parameters) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) statement.setString(i + 1, parameters[i]);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
            }
        } catch (SQLException e) {
            throw failed("PostgreSQL did not answer", e);
        }
    }

    /** SQLSTATE class 28 and 42501 are the operator's to mend, the rest is taken for an unreachable peer. */
    static DemoFailure failed(String what, SQLException e) {
        String state = Optional.ofNullable(e.getSQLState()).orElse("none");
        ExitCode exit = state.startsWith("28") || state.equals("42501") ? ExitCode.CREDENTIALS : ExitCode.UNREACHABLE;
        return new DemoFailure(exit, "%s (SQLSTATE %s): %s".formatted(what, state, e.getMessage()), e);
    }

    @Override
    public String toString() {
        return "SourceDatabase[%s, user=%s]".formatted(jdbcUrl, user);
    }
}
