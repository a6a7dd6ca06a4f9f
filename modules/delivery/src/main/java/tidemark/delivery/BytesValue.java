package tidemark.delivery;

import java.util.HexFormat;

/** bytea in hex, {@code \x00ff}, as Feldera's BINARY and VARBINARY want it: an array of numbers (values.md). */
record BytesValue() implements ValueEncoder {
    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        if (length < 2 || text[start] != '\\' || text[start + 1] != 'x' || length % 2 != 0) return Fit.REFUSED;
        out.put((byte) '[');
        for (int i = start + 2; i < start + length; i += 2) {
            if (i > start + 2) out.put((byte) ',');
            out.putDecimal(HexFormat.fromHexDigit(text[i]) << 4 | HexFormat.fromHexDigit(text[i + 1]));
        }
        out.put((byte) ']');
        return Fit.WRITTEN;
    }

    @Override
    public String limit() {
        return "a text that is not bytea_output hex";
    }
}
