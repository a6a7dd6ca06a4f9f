package tidemark.delivery;

/** Text as a JSON string. Also the way of every type that goes as PostgreSQL prints it. */
record TextValue() implements ValueEncoder {
    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        return out.putText(text, start, length) ? Fit.WRITTEN : Fit.REFUSED;
    }

    @Override
    public String limit() {
        return "text that is not UTF-8, as a database with encoding SQL_ASCII lets in";
    }
}
