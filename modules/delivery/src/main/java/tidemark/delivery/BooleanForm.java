package tidemark.delivery;

/** BOOLEAN: false before true. */
record BooleanForm() implements ComparableForm {
    @Override
    public void putValue(JsonCursor in, Wording wording, ComparableBytes out) {
        out.put(in.takeBoolean() ? 1 : 0);
    }

    @Override
    public boolean isSortable() {
        return true;
    }
}
