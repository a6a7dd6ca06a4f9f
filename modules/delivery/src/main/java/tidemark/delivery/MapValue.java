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
    private final boolean document;
    private final PartText part = new PartText();

    /** @param document it goes into VARIANT, where the first key may mean something to Feldera */
    MapValue(PartEncoder value, boolean document) {
        this.value = value;
        this.document = document;
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
            boolean first = at == start;
            at = part.quoted(text, at, end);
            if (at < 0 || at + ARROW_BYTES >= end || text[at] != '=') return Fit.REFUSED;
            if (document && first && part.is(JsonValue.NUMBER_KEY)) return Fit.UNREPRESENTABLE;
            if (part.write(KEY, out) != Fit.WRITTEN) return Fit.REFUSED;
            out.put((byte) ':');
            at += ARROW_BYTES;
            boolean isNull = text[at] != '"';
            at = isNull ? NumberText.find(text, (byte) ',', at, end) : part.quoted(text, at, end);
            if (at < 0) return Fit.REFUSED;
            Fit fit = isNull ? value.writeNull(out) : value.write(part, out);
            if (!fit.isWritten()) return fit;
            if (fit == Fit.PARTLY) whole = Fit.PARTLY;
            at += SEPARATOR_BYTES;
        }
        out.put((byte) '}');
        return whole;
    }

    @Override
    public String limit() {
        String limit = value.limit("a value");
        if (!document) return limit;
        return limit.isEmpty() ? JsonValue.NUMBER_KEY_FIRST : limit + ", or " + JsonValue.NUMBER_KEY_FIRST;
    }
}
