package tidemark.delivery;

/**
 * {@code YYYY-MM-DD HH:MM:SS[.ffffff]} and, with a zone, {@code ±HH[:MM]}. Feldera wants the offset's minutes, which
 * PostgreSQL leaves out when they are zero; {@code +00} was refused, {@code +00:00} taken (values.md).
 */
record TimestampValue(boolean zoned) implements ValueEncoder {
    private static final int DATE_TIME_BYTES = 19;
    private static final int TIME_AT = 11;
    private static final int HOURS_BYTES = 3;
    private static final int HOURS_MINUTES_BYTES = 6;
    private static final byte[] MINUTES = RowBytes.ascii(":00\"");

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        boolean plain = length >= DATE_TIME_BYTES
                && CalendarText.startsWithDate(text, start, length)
                && CalendarText.isTime(text, start + TIME_AT);
        if (!plain || CalendarText.isBeforeChrist(text, start, length)) {
            return CalendarText.outside(text, start, length);
        }
        if (CalendarText.isLeapSecond(text, start + TIME_AT)) return Fit.UNREPRESENTABLE;
        int zone = start + DATE_TIME_BYTES;
        int end = start + length;
        while (zone < end && (text[zone] == '.' || CalendarText.isDigit(text[zone]))) zone++;
        return zoned ? writeZoned(text, start, zone, end, out) : writePlain(text, start, zone, end, out);
    }

    private static Fit writePlain(byte[] text, int start, int zone, int end, RowBytes out) {
        if (zone != end) return Fit.REFUSED;
        out.putQuoted(text, start, end - start);
        return Fit.WRITTEN;
    }

    /** An offset with seconds only exists outside TimeZone UTC, which our sessions pin; Feldera has no form for it. */
    private static Fit writeZoned(byte[] text, int start, int zone, int end, RowBytes out) {
        if (zone == end || (text[zone] != '+' && text[zone] != '-')) return Fit.REFUSED;
        switch (end - zone) {
            case HOURS_BYTES -> {
                out.put((byte) '"');
                out.put(text, start, end - start);
                out.put(MINUTES);
            }
            case HOURS_MINUTES_BYTES -> out.putQuoted(text, start, end - start);
            default -> {
                return Fit.REFUSED;
            }
        }
        return Fit.WRITTEN;
    }

    @Override
    public String limit() {
        return CalendarText.LIMIT + (zoned ? " and TimeZone UTC" : "");
    }
}
