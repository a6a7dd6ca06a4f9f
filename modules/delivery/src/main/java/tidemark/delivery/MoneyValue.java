package tidemark.delivery;

/**
 * money for DECIMAL, digit for digit: {@code -$1,234.56} is {@code -1234.56}. So it prints under lc_monetary C, which
 * our sessions pin. PostgreSQL stores units of the smallest coin and no word of how many digits that has after the
 * point: those of lc_monetary, two in most.
 */
final class MoneyValue implements ValueEncoder {
    /** Of the smallest, -92233720368547758.08 (documentation 8.2). */
    static final int DIGITS = 19;

    static final int SCALE = 2;

    static final String HUNDREDTHS =
            "it is read as hundredths, which is wrong where the server's lc_monetary has not two digits after the point";

    private final DecimalValue plain;
    /** Sign, digits and point. */
    private final byte[] digits = new byte[DIGITS + 2];

    MoneyValue(DecimalValue plain) {
        this.plain = plain;
    }

    @Override
    public Fit write(byte[] text, int start, int length, RowBytes out) {
        int count = 0;
        for (int at = start; at < start + length; at++) {
            byte one = text[at];
            if (one == '$' || one == ',') continue;
            boolean expected = CalendarText.isDigit(one) || one == '.' || (one == '-' && count == 0);
            if (!expected || count == digits.length) return Fit.REFUSED;
            digits[count++] = one;
        }
        return count == 0 ? Fit.REFUSED : plain.write(digits, 0, count, out);
    }

    DecimalValue plain() {
        return plain;
    }

    @Override
    public String limit() {
        return plain.limit() + ", or a text not in lc_monetary C";
    }
}
