package tidemark.standin;

import java.util.Locale;
import java.util.Optional;

/** {@code runtime_config.fault_tolerance.model}. Means something in the enterprise edition only. */
public enum FaultTolerance {
    /** A restart resumes from the last checkpoint. */
    NONE,
    /** As none, for HTTP: what came after the checkpoint is gone, since nobody can replay it (feldera.md 6). */
    AT_LEAST_ONCE,
    /** Every step is journalled, and a restart replays the steps after the last checkpoint. */
    EXACTLY_ONCE;

    String model() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<FaultTolerance> named(String model) {
        for (FaultTolerance one : values()) {
            if (one.model().equals(model)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }
}
