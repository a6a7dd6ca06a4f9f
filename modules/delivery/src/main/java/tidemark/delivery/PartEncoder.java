package tidemark.delivery;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidemark.delivery.ValueEncoder.Fit;

/**
 * How one part of a value goes: an element, a field, the value of a map. One that Feldera's type has no value for
 * becomes null where the part may be; else the whole value is unrepresentable, and so it is with a NULL.
 *
 * @param nullable in Feldera
 */
record PartEncoder(ValueEncoder encoder, boolean nullable) {
    private static final byte[] NULL = RowBytes.ascii("null");

    Fit write(PartText part, RowBytes out) {
        long mark = out.mark();
        Fit fit = part.write(encoder, out);
        if (fit != Fit.UNREPRESENTABLE || !nullable) return fit;
        out.rollback(mark);
        out.put(NULL);
        return Fit.PARTLY;
    }

    Fit writeNull(RowBytes out) {
        if (!nullable) return Fit.UNREPRESENTABLE;
        out.put(NULL);
        return Fit.WRITTEN;
    }

    /**
     * Which values the whole does not write because of this part; empty for none.
     *
     * @param what the part is called
     */
    String limit(String what) {
        String limits = Stream.of(encoder.limit(), nullable ? "" : "NULL")
                .filter(limit -> !limit.isEmpty())
                .collect(Collectors.joining(", or "));
        return limits.isEmpty() ? "" : "in %s: %s".formatted(what, limits);
    }
}
