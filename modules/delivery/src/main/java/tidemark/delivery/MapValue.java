package tidemark.delivery;

/**
 * An hstore as a JSON object: for MAP or VARIANT.
 *
 * <p>Source: PostgreSQL documentation F.17, {@code hstore_out}: {@code "key"=>"value", "other"=>NULL}, everything but
 * NULL in quotes.
 */
final class MapValue implements ValueEncoder {
    private static final TextValue KEY = new TextValue();
    private static final int ARROW_BYTES = 2;
    private static final int SEPARATOR_BYTES = 2;

    private final PartEncoder value;
    private final PartText part = new PartText();

    MapValue(PartEncoder value) {
        this.value = value;
    }

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        Fit fit = writeEntries(text, start, start + length, out);
        part.release();
        return fit;
    }

    private Fit writeEntries(byte[] text, int start, int end, RowBytes out) {
        Fit whole = Fit.WRITTEN;
        int at = start;
        out.put((byte) '{');
        while (at < end) {
            if (at > start) out.put((byte) ',');
            if (text[at] != '"') return Fit.REFUSED;
            at = part.quoted(text, at, end);
            if (at < 0 || at + ARROW_BYTES >= end || text[at] != '=') return Fit.REFUSED;
            if (part.write(KEY, out) != Fit.WRITTEN) return Fit.REFUSED;
            out.put((byte) ':');
            at += ARROW_BYTES;
            boolean isNull = text[at] != '"';
            at = isNull ? NumberText.find(text, (byte) ',', at, end) : part.quoted(text, at, end);
            if (at < 0) return Fit.REFUSED;
            Fit fit = isNull ? value.writeNull(out) : value.write(part, out);
            if (fit == Fit.UNREPRESENTABLE || fit == Fit.REFUSED) return fit;
            if (fit == Fit.PARTLY) whole = Fit.PARTLY;
            at += SEPARATOR_BYTES;
        }
        out.put((byte) '}');
        return whole;
    }

    @Override
    public String limit() {
        return value.limit("a value");
    }
}
