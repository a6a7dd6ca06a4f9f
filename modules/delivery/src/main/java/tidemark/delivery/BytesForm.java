package tidemark.delivery;

/** BINARY and VARBINARY: we send an array of numbers, Feldera answers with hexadecimal digits (values.md). */
record BytesForm() implements ComparableForm {
    @Override
    public void putValue(JsonCursor in, Wording wording, ComparableBytes out) {
        if (in.take('[')) putNumbers(in, out);
        else putHexadecimal(in, out);
    }

    private static void putNumbers(JsonCursor in, ComparableBytes out) {
        for (boolean first = true; in.goesOn(first, ']'); first = false) {
            int one = 0;
            for (int at = in.number(); at < in.at(); at++) one = one * 10 + in.bytes()[at] - '0';
            if (one < 0 || one > 0xFF) throw new UnreadableValue("a byte");
            out.put(one);
        }
    }

    private static void putHexadecimal(JsonCursor in, ComparableBytes out) {
        int start = out.length();
        in.string(out);
        byte[] digits = out.array();
        int length = out.length() - start;
        for (int i = 0; i < length / 2; i++) {
            int high = Character.digit(digits[start + 2 * i], 16);
            int low = Character.digit(digits[start + 2 * i + 1], 16);
            if (high < 0 || low < 0) throw new UnreadableValue("hexadecimal digits");
            digits[start + i] = (byte) ((high << 4) | low);
        }
        if (length % 2 != 0) throw new UnreadableValue("an even number of hexadecimal digits");
        out.truncate(start + length / 2);
    }

    @Override
    public boolean isSortable() {
        return true;
    }
}
