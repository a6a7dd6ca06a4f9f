package tidemark.delivery;

/** {@code HH:MM:SS[.ffffff]}. PostgreSQL's day ends at 24:00:00, Feldera's just before it. */
record TimeValue() implements ValueEncoder {
    private static final int TIME_BYTES = 8;

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        if (length < TIME_BYTES || !CalendarText.isTime(text, start)) return Fit.REFUSED;
        boolean endOfDay = text[start] == '2' && text[start + 1] == '4';
        if (endOfDay || CalendarText.isLeapSecond(text, start)) return Fit.UNREPRESENTABLE;
        out.putQuoted(text, start, length);
        return Fit.WRITTEN;
    }

    @Override
    public String limit() {
        return "24:00:00, a leap second, or a text that is not HH:MM:SS";
    }
}
