package tidemark.standin;

/** DATE: chrono's {@code %Y-%m-%d}, trimmed. Years of more than four digits need a sign. */
final class DateCodec implements ValueCodec {
    @Override
    public void transcode(JsonCursor in, ByteWriter out) {
        requireString(in);
        var text = new CalendarText(in);
        text.skipSpace();
        int sign = text.peek();
        boolean signed = sign == '-' || sign == '+';
        if (signed) {
            text.skip();
        }
        int year = field(in, text, signed ? 6 : 4) * (sign == '-' ? -1 : 1);
        dash(in, text);
        int month = field(in, text, 2);
        dash(in, text);
        int day = field(in, text, 2);
        text.skipSpace();
        if (!CalendarText.isDate(year, month, day)) {
            throw refused(in, "input is out of range");
        }
        if (!text.atEnd()) {
            throw refused(in, "trailing input");
        }
        out.put('"');
        CalendarText.putDate(year, month, day, out);
        out.put('"');
    }

    private static void requireString(JsonCursor in) {
        ValueCodec.requireString(in, "a string");
    }

    private static int field(JsonCursor in, CalendarText text, int most) {
        int digits = text.digitsAhead(most);
        if (digits == 0) {
            throw refused(in, text.atEnd() ? "premature end of input" : "input contains invalid characters");
        }
        return text.number(digits);
    }

    private static void dash(JsonCursor in, CalendarText text) {
        if (text.peek() != '-') {
            throw refused(in, text.atEnd() ? "premature end of input" : "input contains invalid characters");
        }
        text.skip();
    }

    private static ValueRefused refused(JsonCursor in, String why) {
        return new ValueRefused("invalid date string '" + in.string() + "': " + why + " (expected format: '%Y-%m-%d')");
    }
}
