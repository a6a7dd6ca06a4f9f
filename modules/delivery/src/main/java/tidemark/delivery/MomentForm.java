package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * TIME, TIMESTAMP and TIMESTAMP_TZ: {@code [YYYY-MM-DDT]HH:MM:SS[.f]} in UTC, without zeros at the end of the fraction.
 * Text of this form sorts as time does. PostgreSQL and we write a blank for the {@code T} and an offset, Feldera a
 * {@code Z} or nothing.
 */
record MomentForm() implements ComparableForm {
    private static final int DATE_BYTES = 10;
    private static final int DATE_TIME_BYTES = 19;
    private static final int OFFSET_BYTES = 6;
    private static final byte[] UTC = RowBytes.ascii("+00:00");

    @Override
    public void putValue(JsonCursor in, Wording wording, ComparableBytes out) {
        int start = out.length();
        in.string(out);
        if (out.length() - start >= DATE_TIME_BYTES) {
            out.array()[start + DATE_BYTES] = 'T';
            dropZone(start, out);
        }
        trimFraction(start, out);
    }

    private static void dropZone(int start, ComparableBytes out) {
        byte[] text = out.array();
        int last = out.length() - 1;
        int offset = out.length() - OFFSET_BYTES;
        if (text[last] == 'Z') {
            out.truncate(last);
        } else if (CalendarText.endsWith(text, start, out.length() - start, UTC)) {
            out.truncate(offset);
        } else if (offset >= start + DATE_TIME_BYTES && (text[offset] == '+' || text[offset] == '-')) {
            shift(start, out);
        }
    }

    private static void shift(int start, ComparableBytes out) {
        String text = new String(out.array(), start, out.length() - start, StandardCharsets.ISO_8859_1);
        try {
            byte[] utc = DateTimeFormatter.ISO_LOCAL_DATE_TIME
                    .format(OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC))
                    .getBytes(StandardCharsets.ISO_8859_1);
            out.truncate(start);
            out.put(utc, 0, utc.length);
        } catch (DateTimeException _) {
            throw new UnreadableValue("a moment");
        }
    }

    private static void trimFraction(int start, ComparableBytes out) {
        byte[] text = out.array();
        int end = out.length();
        if (NumberText.find(text, (byte) '.', start, end) == end) return;
        while (text[end - 1] == '0') end--;
        out.truncate(text[end - 1] == '.' ? end - 1 : end);
    }

    @Override
    public boolean isSortable() {
        return true;
    }
}
