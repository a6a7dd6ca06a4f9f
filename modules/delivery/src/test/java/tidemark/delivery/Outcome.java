package tidemark.delivery;

import java.time.Duration;
import java.util.List;

/**
 * What became of the values of one type.
 *
 * @param nulled of all values in all columns, how many the Feldera column could not hold
 * @param differences the first ten, in words, with the values: they are nobody's
 * @param took to make the values and to compare them, without their way through the connector, which all share
 */
record Outcome(TypeTrip type, int values, int nulled, List<String> differences, Duration took) {
    /** One line for people. */
    String line() {
        return "round trip %-16s %-16s values=%s columns=%s nulled=%s ms=%s%s"
                .formatted(
                        type.name(),
                        type.type(),
                        values,
                        type.targets().size(),
                        nulled,
                        took.toMillis(),
                        differences.isEmpty() ? "" : " DIFFERENCES=" + differences.size());
    }
}
