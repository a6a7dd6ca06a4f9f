package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A composite as a JSON object: for ROW or VARIANT.
 *
 * <p>Source: PostgreSQL documentation 8.16.6, {@code record_out}: {@code (a,"b ""c""",)}, where nothing between two
 * commas is NULL. A row stored before ALTER TYPE … ADD ATTRIBUTE ends early: PostgreSQL itself reads NULL for the rest.
 * One with more fields than the catalog showed is from after an ADD ATTRIBUTE in this session, or from before a DROP
 * ATTRIBUTE, and which field is which nobody can tell.
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
    private final byte[] tail;
    private final PartText part = new PartText();

    /** @param tail what else the object has, with the closing brace: the fields that PostgreSQL lacks */
    RowValue(List<Member> members, String tail) {
        this.members = members;
        this.tail = tail.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        int end = start + length;
        if (length < 2 || text[start] != '(' || text[end - 1] != ')') return Fit.REFUSED;
        Fit fit = writeFields(text, start, end, out);
        part.release();
        return fit;
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
                if (fit == Fit.UNREPRESENTABLE || fit == Fit.REFUSED) return fit;
                if (fit == Fit.PARTLY) whole = Fit.PARTLY;
                if (out.bytesSince(begin) > RowPolicy.LARGEST_ROW_BYTES) return whole;
            }
        }
        boolean more = members.isEmpty() ? end - start > 2 : at < end;
        if (more) return Fit.REFUSED;
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
                        Stream.of("a composite with more fields than the catalog showed when the session began"))
                .collect(Collectors.joining(", or "));
    }
}
