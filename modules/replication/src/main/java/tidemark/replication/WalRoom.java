package tidemark.replication;

/**
 * How much more WAL a slot may hold back before PostgreSQL takes it away.
 *
 * @param leftBytes {@code safe_wal_size} of {@code pg_replication_slots}; not above zero where the next checkpoint may
 *     take it
 * @param limitBytes {@code max_slot_wal_keep_size}
 */
public record WalRoom(long leftBytes, long limitBytes) {}
