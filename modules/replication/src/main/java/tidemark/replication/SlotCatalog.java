package tidemark.replication;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import tidemark.decode.Lsn;

/** Reads a slot from {@code pg_replication_slots} and decides what it is good for. */
final class SlotCatalog {
    /**
     * As JSON, because the columns differ: {@code conflicting} is there from 16 on, {@code invalidation_reason} from 17
     * on. A key that is missing reads as NULL.
     */
    private static final String QUERY = """
            SELECT s.slot_type, s.plugin::text, s.database::text, s.active_pid,
                   s.confirmed_flush_lsn::text, s.restart_lsn::text, s.wal_status,
                   to_jsonb(s) ->> 'invalidation_reason' AS invalidation_reason,
                   coalesce(to_jsonb(s) ->> 'conflicting', 'false') = 'true' AS conflicting
            FROM pg_catalog.pg_replication_slots s
            WHERE s.slot_name = ?""";

    private SlotCatalog() {}

    static SlotStatus read(Connection connection, String slot, String database) {
        return Classification.classified("look at slot " + slot, () -> {
            try (PreparedStatement query = connection.prepareStatement(QUERY)) {
                query.setString(1, slot);
                try (ResultSet row = query.executeQuery()) {
                    return row.next() ? status(row, database) : new SlotStatus.Missing();
                }
            }
        });
    }

    /** Empty where nothing limits it, or there is no such slot. The setting is in MiB. */
    private static final String ROOM = """
            SELECT s.safe_wal_size, l.setting::bigint * 1024 * 1024 AS keep
            FROM pg_catalog.pg_replication_slots s, pg_catalog.pg_settings l
            WHERE s.slot_name = ? AND l.name = 'max_slot_wal_keep_size' AND l.setting <> '-1'
              AND s.safe_wal_size IS NOT NULL""";

    static Optional<WalRoom> room(Connection connection, String slot) {
        return Classification.classified("look at slot " + slot, () -> {
            try (PreparedStatement query = connection.prepareStatement(ROOM)) {
                query.setString(1, slot);
                try (ResultSet row = query.executeQuery()) {
                    return row.next()
                            ? Optional.of(new WalRoom(row.getLong("safe_wal_size"), row.getLong("keep")))
                            : Optional.empty();
                }
            }
        });
    }

    /**
     * Whether the slot is the primary's, which this standby keeps in step: nobody may use or drop it before the
     * promotion. Never before 17. After the promotion {@code synced} stays true, and means nothing any more.
     */
    static boolean isKeptInStep(Connection connection, String slot) {
        return Classification.classified("look at slot " + slot, () -> {
            try (PreparedStatement query = connection.prepareStatement(
                    "SELECT pg_catalog.pg_is_in_recovery() AND coalesce(to_jsonb(s) ->> 'synced', 'false') = 'true'"
                            + " FROM pg_catalog.pg_replication_slots s WHERE s.slot_name = ?")) {
                query.setString(1, slot);
                try (ResultSet row = query.executeQuery()) {
                    return row.next() && row.getBoolean(1);
                }
            }
        });
    }

    /** Whether it does, or is not there to be altered. 17 and later. */
    static boolean failsOver(Connection connection, String slot) {
        return Classification.classified("look at slot " + slot, () -> {
            try (PreparedStatement query = connection.prepareStatement(
                    "SELECT s.failover FROM pg_catalog.pg_replication_slots s WHERE s.slot_name = ?")) {
                query.setString(1, slot);
                try (ResultSet row = query.executeQuery()) {
                    return !row.next() || row.getBoolean(1);
                }
            }
        });
    }

    private static SlotStatus status(ResultSet row, String database) throws SQLException {
        String plugin = text(row, "plugin").orElse("none");
        String home = text(row, "database").orElse("none");
        if (!"logical".equals(row.getString("slot_type"))) return new SlotStatus.Foreign("it is a physical slot");
        if (!"pgoutput".equals(plugin))
            return new SlotStatus.Foreign("its plugin is %s, not pgoutput".formatted(plugin));
        if (!database.equals(home)) return new SlotStatus.Foreign("it belongs to database " + home);
        Optional<String> lost = lost(row);
        if (lost.isPresent()) return new SlotStatus.Lost(lost.get());
        Optional<Lsn> confirmed = text(row, "confirmed_flush_lsn").map(Lsn::parse);
        Optional<Lsn> restart = text(row, "restart_lsn").map(Lsn::parse);
        if (confirmed.isEmpty() || restart.isEmpty()) return new SlotStatus.HalfMade();
        return new SlotStatus.Usable(confirmed.get(), restart.get(), activePid(row));
    }

    private static Optional<String> lost(ResultSet row) throws SQLException {
        Optional<String> reason = text(row, "invalidation_reason");
        if (reason.isPresent()) return reason;
        if ("lost".equals(row.getString("wal_status"))) return Optional.of("wal_status is lost");
        return row.getBoolean("conflicting") ? Optional.of("it conflicted with recovery") : Optional.empty();
    }

    private static OptionalInt activePid(ResultSet row) throws SQLException {
        int pid = row.getInt("active_pid");
        return row.wasNull() ? OptionalInt.empty() : OptionalInt.of(pid);
    }

    private static Optional<String> text(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getString(column));
    }
}
