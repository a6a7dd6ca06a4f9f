package tidemark.delivery;

/** ARRAY, element by element. */
record ArrayForm(ComparableForm element) implements NestedForm {
    @Override
    public void putValue(JsonCursor in, Wording wording, ComparableBytes out) {
        in.expect('[');
        for (boolean first = true; in.goesOn(first, ']'); first = false) {
            int begin = out.beginPart();
            element.put(in, wording, out);
            out.endPart(begin);
        }
    }

    @Override
    public ComparableForm ofPart(int index) {
        return element;
    }
}
