package tidemark.delivery;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An array as JSON arrays. A type declares neither dimensions nor bounds in PostgreSQL: every value has its own. Bounds
 * are left out, as Feldera has none, and dimensions must be those that Feldera's type has; an empty array has none and
 * goes anywhere.
 *
 * <p>Source: PostgreSQL documentation 8.15.6, {@code array_out}: it quotes what is empty, NULL, or has a brace, a
 * quote, a backslash, white space or the delimiter in it.
 */
final class ArrayValue implements ValueEncoder {
    /** PostgreSQL's MAXDIM. */
    static final int MOST_DIMENSIONS = 6;

    /**
     * @param fewest dimensions
     * @param most dimensions
     * @param exact shifted bounds are refused: in a key they tell rows apart
     */
    record Shape(int fewest, int most, boolean exact) {}

    private final PartEncoder element;
    private final byte delimiter;
    private final Shape shape;
    private final PartText part = new PartText();

    ArrayValue(PartEncoder element, char delimiter, Shape shape) {
        this.element = element;
        this.delimiter = (byte) delimiter;
        this.shape = shape;
    }

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        int end = start + length;
        boolean shifted = text[start] == '[';
        if (shifted && shape.exact) return Fit.REFUSED;
        int first = shifted ? NumberText.find(text, (byte) '=', start, end) + 1 : start;
        if (end - first < 2 || text[first] != '{') return Fit.REFUSED;
        if (text[first + 1] == '}') {
            out.put((byte) '[');
            out.put((byte) ']');
            return Fit.WRITTEN;
        }
        Fit fit = writeElements(text, first, end, out);
        part.release();
        return fit;
    }

    private Fit writeElements(byte[] text, int first, int end, RowBytes out) {
        long begin = out.mark();
        Fit whole = Fit.WRITTEN;
        int depth = 0;
        int at = first;
        while (at < end) {
            byte one = text[at];
            if (one == '{') {
                if (++depth > shape.most) return Fit.UNREPRESENTABLE;
                out.put((byte) '[');
                at++;
            } else if (one == '}') {
                out.put((byte) ']');
                depth--;
                at++;
            } else if (one == delimiter) {
                out.put((byte) ',');
                at++;
            } else {
                if (depth < shape.fewest) return Fit.UNREPRESENTABLE;
                boolean bare = one != '"';
                at = bare ? part.bare(text, at, end, delimiter, (byte) '}') : part.quoted(text, at, end);
                if (at < 0) return Fit.REFUSED;
                Fit fit = bare && part.isNull() ? element.writeNull(out) : element.write(part, out);
                if (!fit.isWritten()) return fit;
                if (fit == Fit.PARTLY) whole = Fit.PARTLY;
                // More than any row may have: RowEncoder refuses it by name, whatever else comes.
                if (out.bytesSince(begin) > RowPolicy.LARGEST_ROW_BYTES) return whole;
            }
        }
        return depth == 0 ? whole : Fit.REFUSED;
    }

    @Override
    public String limit() {
        String dimensions = shape.fewest == shape.most
                ? "an array of other than %d dimension%s".formatted(shape.most, shape.most == 1 ? "" : "s")
                : "";
        String bounds = shape.exact ? "in a key, bounds that do not begin with 1" : "";
        return Stream.of(dimensions, bounds, element.limit("an element"))
                .filter(limit -> !limit.isEmpty())
                .collect(Collectors.joining(", or "));
    }
}
