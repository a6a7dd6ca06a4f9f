package tidemark.replication;

import java.util.OptionalInt;
import tidemark.decode.Lsn;

/** The state of a replication slot, as {@code pg_replication_slots} shows it. */
public sealed interface SlotStatus {
    record Missing() implements SlotStatus {}

    /**
     * {@code confirmed_flush_lsn} is NULL: being created by somebody, or left half-made by a creation that was killed.
     * Not usable; may be dropped once nobody holds it.
     */
    record HalfMade() implements SlotStatus {}

    /**
     * PostgreSQL keeps nothing for it any more, and nothing can be streamed from it; {@code why} is
     * {@code invalidation_reason} (17 and later) or {@code wal_status}.
     */
    record Lost(String why) implements SlotStatus {
        /** What keeps the next one from going the same way, for a person. */
        public String remedy() {
            return switch (why) {
                case "idle_timeout" ->
                    "set idle_replication_slot_timeout = 0 until the tables are copied: nobody reads from the slot before";
                case "rows_removed" -> "set hot_standby_feedback = on";
                case "wal_level_insufficient" -> "set wal_level = logical on the primary";
                case "wal_removed" -> "raise max_slot_wal_keep_size, or copy in a quiet hour";
                // before 17 nobody says
                default ->
                    "raise max_slot_wal_keep_size, or copy in a quiet hour; on a standby set hot_standby_feedback = on, too";
            };
        }
    }

    /** Another plugin's or database's slot, or a physical one. */
    record Foreign(String why) implements SlotStatus {}

    /**
     * @param confirmedFlush what the consumer promised not to need any more
     * @param restart from where WAL is kept; another clock than {@code confirmedFlush}
     * @param activePid the walsender that holds the slot, if one does
     */
    record Usable(Lsn confirmedFlush, Lsn restart, OptionalInt activePid) implements SlotStatus {}
}
