package tidemark.standin;

import java.time.LocalDate;

/**
 * TIMESTAMP: four-digit year, {@code T} or a blank, seconds mandatory; an offset is optional, needs its minutes, and
 * moves the value to UTC. Cut to microseconds.
 */
final class TimestampCodec implements ValueCodec {
    @Override
    public void transcode(JsonCursor in, ByteWriter out) {
        ValueCodec.requireString(in, "a string");
        var text = new CalendarText(in);
        int sign = text.peek();
        if (sign >= 0 && !JsonCursor.isDigit(sign)) {
            throw refused(in, "invalid character '" + (char) sign + "' in timestamp string");
        }
        int year = field(in, text, 4);
        expect(in, text, '-');
        int month = field(in, text, 2);
        expect(in, text, '-');
        int day = field(in, text, 2);
        int designator = text.peek();
        if (designator != 'T' && designator != 't' && designator != ' ') {
            throw refused(in, "Expected time designator 't', 'T', or ' ', but found " + shown(text));
        }
        text.skip();
        int hour = field(in, text, 2);
        expect(in, text, ':');
        int minute = field(in, text, 2);
        expect(in, text, ':');
        int second = field(in, text, 2);
        int nanos = 0;
        if (text.peek() == '.') {
            text.skip();
            nanos = text.fractionNanos();
        }
        int offset = text.atEnd() ? 0 : offsetMinutes(in, text);
        if (!CalendarText.isDate(year, month, day) || !CalendarText.isTime(hour, minute, second)) {
            throw refused(in, "input is out of range");
        }
        out.put('"');
        if (!CalendarText.putMoment(LocalDate.of(year, month, day), hour, minute, second, nanos, offset, out)) {
            throw refused(in, "input is out of range");
        }
        out.put('"');
    }

    private static int offsetMinutes(JsonCursor in, CalendarText text) {
        int sign = text.peek();
        if (sign == 'Z' || sign == 'z') {
            text.skip();
            requireEnd(in, text);
            return 0;
        }
        if (sign != '+' && sign != '-') {
            throw refused(in, "expected '+' or '-', but found " + shown(text) + " in timezone offset string");
        }
        text.skip();
        int hours = field(in, text, 2);
        expect(in, text, ':');
        int minutes = field(in, text, 2);
        requireEnd(in, text);
        return (hours * 60 + minutes) * (sign == '-' ? -1 : 1);
    }

    private static void requireEnd(JsonCursor in, CalendarText text) {
        if (!text.atEnd()) {
            throw refused(in, "unexpected trailing character " + shown(text));
        }
    }

    private static int field(JsonCursor in, CalendarText text, int digits) {
        int found = text.digitsAhead(digits);
        if (found < digits) {
            throw refused(in, "expected at least " + digits + " digits, but found " + found);
        }
        return text.number(digits);
    }

    private static void expect(JsonCursor in, CalendarText text, char wanted) {
        if (text.peek() != wanted) {
            throw refused(in, "expected character '" + wanted + "', but found " + shown(text));
        }
        text.skip();
    }

    private static String shown(CalendarText text) {
        return text.atEnd() ? "end of string" : "'" + (char) text.peek() + "'";
    }

    private static ValueRefused refused(JsonCursor in, String why) {
        return new ValueRefused("invalid RFC3339 timestamp string '" + in.string() + "': " + why);
    }
}
