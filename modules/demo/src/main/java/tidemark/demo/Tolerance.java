package tidemark.demo;

import java.util.Optional;

/** A kind of values that Feldera cannot hold, and in whose place it may have null. */
public enum Tolerance {
    /** NaN and the infinities of numbers. */
    NONFINITE,
    /** The infinities of dates and timestamps, and years that Feldera does not count to. */
    INFINITY,
    /** The time 24:00:00. */
    TIME24;

    static Optional<Tolerance> of(ValueKind kind) {
        return switch (kind) {
            case NUMBER, REAL, DOUBLE -> Optional.of(NONFINITE);
            case DATE, TIMESTAMP -> Optional.of(INFINITY);
            case TIME -> Optional.of(TIME24);
            case BOOLEAN, TEXT, BINARY, JSON, ARRAY -> Optional.empty();
        };
    }
}
