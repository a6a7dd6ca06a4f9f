package tidemark.replication;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The server settings that every one of our sessions pins, whatever the database or the role says.
 *
 * <p>The first group decides how values print; it must be the same for the walsender and for COPY, or a restart would
 * change rows that nobody updated. {@code search_path} and {@code quote_all_identifiers} belong to it: regclass and its
 * relatives print by them. The second group would end a session that only waits. {@code row_security = off} makes a
 * policy fail loudly instead of hiding rows.
 *
 * <p>Said twice. As start-up options, since a hostile {@code statement_timeout} of the database would hit our first
 * statement; and by {@code set_config}, since the driver sends a TimeZone and a DateStyle of its own, which win over
 * options.
 */
final class SessionGucs {
    private static final Map<String, String> PINNED = new LinkedHashMap<>();

    static {
        PINNED.put("TimeZone", "UTC");
        PINNED.put("DateStyle", "ISO");
        PINNED.put("IntervalStyle", "iso_8601");
        PINNED.put("extra_float_digits", "3");
        PINNED.put("bytea_output", "hex");
        PINNED.put("client_encoding", "UTF8");
        PINNED.put("lc_monetary", "C");
        PINNED.put("search_path", "pg_catalog");
        PINNED.put("quote_all_identifiers", "off");
        PINNED.put("standard_conforming_strings", "on");
        PINNED.put("statement_timeout", "0");
        PINNED.put("lock_timeout", "0");
        PINNED.put("idle_in_transaction_session_timeout", "0");
        PINNED.put("idle_session_timeout", "0");
        PINNED.put("row_security", "off");
    }

    /** PostgreSQL 17 and later; unknown, it would fail a start-up packet. */
    private static final String NO_TRANSACTION_TIMEOUT =
            ", (SELECT pg_catalog.set_config(name, '0', false) FROM pg_catalog.pg_settings WHERE name = 'transaction_timeout')";

    private SessionGucs() {}

    /** For the start-up packet. No value contains a space, so nothing is escaped. */
    static String options() {
        return PINNED.entrySet().stream()
                .map(guc -> "-c %s=%s".formatted(guc.getKey(), guc.getValue()))
                .collect(Collectors.joining(" "));
    }

    /** One statement, one round trip. */
    static String pin() {
        return PINNED.entrySet().stream()
                .map(guc -> "pg_catalog.set_config('%s', '%s', false)".formatted(guc.getKey(), guc.getValue()))
                .collect(Collectors.joining(", ", "SELECT ", NO_TRANSACTION_TIMEOUT));
    }
}
