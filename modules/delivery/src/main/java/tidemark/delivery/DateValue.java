package tidemark.delivery;

/** {@code YYYY-MM-DD}, the form that both ends share. */
record DateValue() implements ValueEncoder {
    private static final int DATE_BYTES = 10;

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        if (length != DATE_BYTES || !CalendarText.startsWithDate(text, start, length)) {
            return CalendarText.outside(text, start, length);
        }
        out.putQuoted(text, start, length);
        return Fit.WRITTEN;
    }

    @Override
    public String limit() {
        return CalendarText.LIMIT;
    }
}
