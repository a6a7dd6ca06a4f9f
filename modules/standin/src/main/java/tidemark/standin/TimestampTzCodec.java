package tidemark.standin;

import java.time.LocalDate;

/**
 * TIMESTAMP WITH TIME ZONE: RFC 3339 with an offset, which is required; stored as UTC microseconds, the zone is lost.
 */
final class TimestampTzCodec implements ValueCodec {
    /** chrono gives up on anything shorter before it looks at it. */
    private static final int LEAST_LENGTH = "2024-02-29T12:34:56".length();

    @Override
    public void transcode(JsonCursor in, ByteWriter out) {
        ValueCodec.requireString(in, "a string");
        var text = new CalendarText(in);
        if (text.length() < LEAST_LENGTH) {
            throw refused(in, "premature end of input");
        }
        int year = field(in, text, 4);
        expect(in, text, "-");
        int month = field(in, text, 2);
        expect(in, text, "-");
        int day = field(in, text, 2);
        expect(in, text, "Tt ");
        int hour = field(in, text, 2);
        expect(in, text, ":");
        int minute = field(in, text, 2);
        expect(in, text, ":");
        int second = field(in, text, 2);
        if (!CalendarText.isDate(year, month, day) || !CalendarText.isTime(hour, minute, second)) {
            throw refused(in, "input is out of range");
        }
        int nanos = 0;
        if (text.peek() == '.') {
            text.skip();
            nanos = text.fractionNanos();
        }
        int offset = offsetMinutes(in, text);
        out.put('"');
        if (!CalendarText.putMoment(LocalDate.of(year, month, day), hour, minute, second, nanos, offset, out)) {
            throw refused(in, "input is out of range");
        }
        out.put('Z');
        out.put('"');
    }

    private static int offsetMinutes(JsonCursor in, CalendarText text) {
        int sign = text.peek();
        expect(in, text, "Zz+-");
        int minutes = 0;
        if (sign == '+' || sign == '-') {
            int hours = field(in, text, 2);
            expect(in, text, ":");
            minutes = (hours * 60 + field(in, text, 2)) * (sign == '-' ? -1 : 1);
        }
        if (!text.atEnd()) {
            throw refused(in, "trailing input");
        }
        return minutes;
    }

    private static int field(JsonCursor in, CalendarText text, int digits) {
        if (text.digitsAhead(digits) < digits) {
            throw refused(in, text.length() < digits ? "premature end of input" : "input contains invalid characters");
        }
        return text.number(digits);
    }

    private static void expect(JsonCursor in, CalendarText text, String oneOf) {
        if (text.atEnd()) {
            throw refused(in, "premature end of input");
        }
        if (oneOf.indexOf(text.peek()) < 0) {
            throw refused(in, "input contains invalid characters");
        }
        text.skip();
    }

    private static ValueRefused refused(JsonCursor in, String why) {
        return new ValueRefused("invalid RFC3339 timestamp with timezone string '" + in.string() + "': " + why);
    }
}
