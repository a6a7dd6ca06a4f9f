package tidemark.standin;

/**
 * TIME: chrono's {@code %H:%M:%S%.f}, nanoseconds kept. A second of 60 is taken, and then fails every read of the
 * column (feldera.md 18): it is stored as it came, and {@link #isUnreadable} knows it.
 */
final class TimeCodec implements ValueCodec {
    @Override
    public void transcode(JsonCursor in, ByteWriter out) {
        ValueCodec.requireString(in, "a string");
        var text = new CalendarText(in);
        text.skipSpace();
        int hour = field(in, text);
        colon(in, text);
        int minute = field(in, text);
        colon(in, text);
        int second = field(in, text);
        int nanos = 0;
        if (text.peek() == '.') {
            text.skip();
            if (text.digitsAhead(1) == 0) {
                throw refused(in, text.atEnd() ? "premature end of input" : "input contains invalid characters");
            }
            nanos = text.fractionNanos();
        }
        text.skipSpace();
        if (!CalendarText.isTime(hour, minute, second)) {
            throw refused(in, "input is out of range");
        }
        if (!text.atEnd()) {
            throw refused(in, "trailing input");
        }
        out.put('"');
        CalendarText.putTime(hour, minute, second, nanos, out);
        out.put('"');
    }

    /** Whether the stored text is a leap second. */
    static boolean isUnreadable(byte[] row, int start, int end) {
        return end - start >= 10 && row[start + 7] == '6' && row[start] == '"';
    }

    private static int field(JsonCursor in, CalendarText text) {
        int digits = text.digitsAhead(2);
        if (digits == 0) {
            throw refused(in, text.atEnd() ? "premature end of input" : "input contains invalid characters");
        }
        return text.number(digits);
    }

    private static void colon(JsonCursor in, CalendarText text) {
        if (text.peek() != ':') {
            throw refused(in, text.atEnd() ? "premature end of input" : "input contains invalid characters");
        }
        text.skip();
    }

    private static ValueRefused refused(JsonCursor in, String why) {
        return new ValueRefused(
                "invalid time string '" + in.string() + "': " + why + " (expected format: '%H:%M:%S%.f')");
    }
}
