package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A composite as a JSON object: for ROW or VARIANT.
 *
 * <p>Source: PostgreSQL documentation 8.16.6, {@code record_out}: {@code (a,"b ""c""",)}, where nothing between two
 * commas is NULL. It prints as many fields as the type had at that point of the WAL, also of a row that was stored
 * before one was added (measured, 15.18). So another number than the catalog showed is from before or after an ALTER
 * TYPE; fewer are the first ones, if the catalog was asked since, and shows that none was ever dropped.
 */
final class RowValue implements ValueEncoder {
    /** What becomes of the field at a position. */
    sealed interface Member {
        /** @param jsonKey with the comma before it */
        record Written(byte[] jsonKey, PartEncoder part) implements Member {}

        /** Feldera's ROW lacks it. */
        record Ignored() implements Member {}
    }

    private final List<Member> members;
    private final int fewest;
    private final byte[] tail;
    private final PartText part = new PartText();

    /**
     * @param fewest fields that a value may have: the others are then null
     * @param tail what else the object has, with the closing brace: the fields that PostgreSQL lacks
     */
    RowValue(List<Member> members, int fewest, String tail) {
        this.members = members;
        this.fewest = fewest;
        this.tail = tail.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        int end = start + length;
        if (length < 2 || text[start] != '(' || text[end - 1] != ')') return Fit.REFUSED;
        int fields = fields(text, start, end);
        if (fields > members.size() || fields < fewest) return Fit.OUTDATED;
        Fit fit = writeFields(text, start, end, out);
        part.release();
        return fit;
    }

    /** One that is null and none at all look alike. */
    private int fields(byte[] text, int start, int end) {
        if (end - start == 2) return Math.min(1, members.size());
        int fields = 1;
        boolean quoted = false;
        for (int at = start + 1; at < end; at++) {
            switch (text[at]) {
                case '\\' -> at++;
                case '"' -> quoted = !quoted;
                case ',' -> fields += quoted ? 0 : 1;
                default -> {}
            }
        }
        return fields;
    }

    private Fit writeFields(byte[] text, int start, int end, RowBytes out) {
        long begin = out.mark();
        Fit whole = Fit.WRITTEN;
        int at = start + 1;
        out.put((byte) '{');
        for (int i = 0; i < members.size(); i++) {
            boolean missing = at == end;
            boolean bare = missing || text[at] != '"';
            if (!missing) {
                at = bare ? part.bare(text, at, end, (byte) ',', (byte) ')') : part.quoted(text, at, end);
                if (at < 0 || at == end) return Fit.REFUSED;
                // Over the comma, or over the closing parenthesis to the end.
                at++;
            }
            if (members.get(i) instanceof Member.Written(byte[] jsonKey, PartEncoder encoder)) {
                out.put(jsonKey);
                Fit fit = missing || (bare && part.isEmpty()) ? encoder.writeNull(out) : encoder.write(part, out);
                if (!fit.isWritten()) return fit;
                if (fit == Fit.PARTLY) whole = Fit.PARTLY;
                if (out.bytesSince(begin) > RowPolicy.LARGEST_ROW_BYTES) return whole;
            }
        }
        out.put(tail);
        return whole;
    }

    @Override
    public String limit() {
        Stream<String> ofFields = members.stream()
                .filter(Member.Written.class::isInstance)
                .map(member -> ((Member.Written) member).part().limit("a field"))
                .filter(limit -> !limit.isEmpty())
                .distinct();
        return Stream.concat(
                        ofFields,
                        Stream.of(
                                "a composite with other fields than the catalog shows, from before or after an ALTER TYPE"))
                .collect(Collectors.joining(", or "));
    }
}
