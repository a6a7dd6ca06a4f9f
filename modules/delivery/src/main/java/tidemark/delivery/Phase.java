package tidemark.delivery;

import java.util.Locale;

/** What the connector is at, for people to see, in one word. */
public enum Phase {
    CONNECTING,
    CHECKING,
    CREATING_SLOT,
    QUIETING,
    COPYING,
    STREAMING,
    DRAINING,
    BACKING_OFF,
    STOPPED;

    /** As {@code /status} and the metrics have it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
