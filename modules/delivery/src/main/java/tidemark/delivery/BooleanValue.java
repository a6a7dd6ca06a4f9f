package tidemark.delivery;

/** PostgreSQL's {@code t} and {@code f}; Feldera's BOOLEAN takes nothing but JSON's true and false (values.md). */
record BooleanValue() implements ValueEncoder {
    private static final byte[] TRUE = RowBytes.ascii("true");
    private static final byte[] FALSE = RowBytes.ascii("false");

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        if (length != 1 || (text[start] != 't' && text[start] != 'f')) return Fit.REFUSED;
        out.put(text[start] == 't' ? TRUE : FALSE);
        return Fit.WRITTEN;
    }

    @Override
    public String limit() {
        return "its text is neither t nor f";
    }
}
