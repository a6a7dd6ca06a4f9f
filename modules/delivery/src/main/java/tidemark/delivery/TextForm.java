package tidemark.delivery;

/**
 * CHAR and VARCHAR by their bytes, which is Feldera's order (feldera.md 19) and that of code points; UUID, in lower
 * case at both ends, and DATE, with its four digits of year, as well.
 */
record TextForm() implements ComparableForm {
    @Override
    public void putValue(JsonCursor in, Wording wording, ComparableBytes out) {
        in.string(out);
    }

    @Override
    public boolean isSortable() {
        return true;
    }
}
