package tidemark.delivery;

/** How PostgreSQL and JSON print a finite number: sign, digits with a point somewhere, perhaps an exponent. */
final class NumberText {
    /**
     * No number here has a larger exponent (PostgreSQL's numeric ends at 131072 digits); keeps the arithmetic from
     * wrapping.
     */
    private static final int EXPONENT_CEILING = 1_000_000;

    private NumberText() {}

    /** NaN, Infinity and -Infinity begin with a letter. */
    static boolean isFinite(byte[] text, int start, int length) {
        int first = text[start] == '-' && length > 1 ? start + 1 : start;
        return text[first] >= '0' && text[first] <= '9';
    }

    /** Position of {@code wanted} in {@code [start, end)}, else {@code end}. */
    static int find(byte[] text, byte wanted, int start, int end) {
        int at = start;
        while (at < end && text[at] != wanted) at++;
        return at;
    }

    /** Nothing but zeros and a point in {@code [start, end)}. */
    static boolean isZero(byte[] text, int start, int end) {
        for (int at = start; at < end; at++) {
            if (text[at] > '0') return false;
        }
        return true;
    }

    /** The digits that the number has before its point when written without exponent and leading zeros; 0 below one. */
    static int integerDigits(byte[] text, int start, int end) {
        int at = text[start] == '-' ? start + 1 : start;
        boolean significant = false;
        boolean fraction = false;
        int digits = 0;
        for (; at < end && (text[at] | 0x20) != 'e'; at++) {
            if (text[at] == '.') {
                fraction = true;
            } else {
                significant |= text[at] != '0';
                if (significant && !fraction) digits++;
                if (!significant && fraction) digits--;
            }
        }
        if (!significant) return 0;
        return Math.max(0, at < end ? digits + exponent(text, at + 1, end) : digits);
    }

    /** The number after the {@code e}. */
    static int exponent(byte[] text, int start, int end) {
        boolean negative = text[start] == '-';
        int value = 0;
        for (int i = negative || text[start] == '+' ? start + 1 : start; i < end; i++) {
            value = Math.min(EXPONENT_CEILING, value * 10 + text[i] - '0');
        }
        return negative ? -value : value;
    }
}
