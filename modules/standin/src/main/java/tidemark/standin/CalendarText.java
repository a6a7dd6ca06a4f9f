package tidemark.standin;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;

/** Reads the fields of a date or time from text, left to right; and writes them as Feldera's queries show them. */
final class CalendarText {
    private final byte[] text;
    private final int end;
    private int at;

    /** The text of the string that the cursor has just read. */
    CalendarText(JsonCursor in) {
        if (in.isEscaped()) {
            ByteWriter decoded = in.decodeString();
            text = decoded.buffer();
            at = 0;
            end = decoded.length();
        } else {
            text = in.buffer();
            at = in.rawStart();
            end = in.rawEnd();
        }
    }

    boolean atEnd() {
        return at >= end;
    }

    int length() {
        return end - at;
    }

    /** The next byte, -1 at the end. */
    int peek() {
        return at < end ? text[at] : -1;
    }

    void skip() {
        at++;
    }

    void skipSpace() {
        while (at < end && text[at] == ' ') {
            at++;
        }
    }

    int digitsAhead(int most) {
        int count = 0;
        while (count < most && at + count < end && JsonCursor.isDigit(text[at + count])) {
            count++;
        }
        return count;
    }

    int number(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            value = value * 10 + (text[at++] - '0');
        }
        return value;
    }

    /** Nanoseconds of the fraction's digits that are next; what lies beyond nine of them is skipped. */
    int fractionNanos() {
        int digits = digitsAhead(9);
        int nanos = number(digits);
        for (int i = digits; i < 9; i++) {
            nanos *= 10;
        }
        while (digitsAhead(1) == 1) {
            at++;
        }
        return nanos;
    }

    static void putDate(int year, int month, int day, ByteWriter out) {
        if (year < 0 || year > 9999) {
            out.put(year < 0 ? '-' : '+'); // chrono's form of a year that is not four digits
        }
        out.putDigits(Math.abs(year), Math.abs(year) > 9999 ? 5 : 4);
        out.put('-');
        out.putDigits(month, 2);
        out.put('-');
        out.putDigits(day, 2);
    }

    static void putTime(int hour, int minute, int second, int nanos, ByteWriter out) {
        out.putDigits(hour, 2);
        out.put(':');
        out.putDigits(minute, 2);
        out.put(':');
        out.putDigits(second, 2);
        if (nanos != 0) {
            out.put('.');
            if (nanos % 1_000_000 == 0) {
                out.putDigits(nanos / 1_000_000, 3);
            } else if (nanos % 1000 == 0) {
                out.putDigits(nanos / 1000, 6);
            } else {
                out.putDigits(nanos, 9);
            }
        }
    }

    /**
     * Writes the moment in UTC, cut to microseconds. A second of 60 is the next minute's first, as Feldera has it.
     * False when there is no such moment.
     */
    static boolean putMoment(
            LocalDate date, int hour, int minute, int second, int nanos, int offsetMinutes, ByteWriter out) {
        int micros = nanos / 1000 * 1000;
        if (offsetMinutes == 0 && second < 60) {
            putDate(date.getYear(), date.getMonthValue(), date.getDayOfMonth(), out);
            out.put('T');
            putTime(hour, minute, second, micros, out);
            return true;
        }
        try {
            LocalDateTime moment =
                    date.atTime(hour, minute, 0, micros).plusSeconds(second).minusMinutes(offsetMinutes);
            return putMoment(
                    moment.toLocalDate(), moment.getHour(), moment.getMinute(), moment.getSecond(), micros, 0, out);
        } catch (DateTimeException _) {
            return false;
        }
    }

    static boolean isDate(int year, int month, int day) {
        return month >= 1
                && month <= 12
                && day >= 1
                && day <= 31
                && (day <= 28 || day <= LocalDate.of(year, month, 1).lengthOfMonth());
    }

    static boolean isTime(int hour, int minute, int second) {
        return hour <= 23 && minute <= 59 && second <= 60;
    }
}
