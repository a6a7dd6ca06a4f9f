package tidemark.delivery;

import java.util.Locale;

/** Where a table stands now, for people to see; what of it is on disk, {@link ReplicationState.Stand} says. */
public enum TableState {
    /** To be copied or merged. */
    PENDING,
    COPYING,
    MERGING,
    /** Whole, and written down, while others are copied. */
    COPIED,
    STREAMING,
    TRUNCATING;

    /** As {@code /status} has it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
