package tidemark.delivery;

import tidemark.delivery.ValueEncoder.Fit;

/**
 * Dates and times as DateStyle ISO prints them: which of them Feldera has no value for, and which are not in that
 * style.
 */
final class CalendarText {
    private static final byte[] INFINITY = RowBytes.ascii("infinity");
    private static final byte[] BEFORE_CHRIST = RowBytes.ascii(" BC");

    static final String LIMIT = "an infinity, a year outside 0001..9999, or a text not in DateStyle ISO";

    private CalendarText() {}

    /** {@code YYYY-MM-DD} in front; a longer year has its dash elsewhere. */
    static boolean startsWithDate(byte[] text, int start, int length) {
        return length >= 10 && isDigit(text[start]) && text[start + 4] == '-' && text[start + 7] == '-';
    }

    /** {@code HH:MM:SS} at {@code start}. */
    static boolean isTime(byte[] text, int start) {
        return isDigit(text[start]) && text[start + 2] == ':' && text[start + 5] == ':' && isDigit(text[start + 6]);
    }

    /** 23:59:60 is taken for a TIME and then fails every read of the column (feldera.md 18). */
    static boolean isLeapSecond(byte[] text, int start) {
        return text[start + 6] == '6';
    }

    /** Why a text is not a plain date in the years 0001 to 9999. */
    static Fit outside(byte[] text, int start, int length) {
        boolean unrepresentable = endsWith(text, start, length, INFINITY)
                || endsWith(text, start, length, BEFORE_CHRIST)
                || hasLongYear(text, start, length);
        return unrepresentable ? Fit.UNREPRESENTABLE : Fit.REFUSED;
    }

    static boolean endsWith(byte[] text, int start, int length, byte[] suffix) {
        for (int i = 1; i <= suffix.length; i++) {
            if (length < suffix.length || text[start + length - i] != suffix[suffix.length - i]) return false;
        }
        return true;
    }

    static boolean isBeforeChrist(byte[] text, int start, int length) {
        return endsWith(text, start, length, BEFORE_CHRIST);
    }

    private static boolean hasLongYear(byte[] text, int start, int length) {
        int digits = 0;
        while (digits < length && isDigit(text[start + digits])) digits++;
        return digits > 4 && digits < length && text[start + digits] == '-';
    }

    static boolean isDigit(byte one) {
        return one >= '0' && one <= '9';
    }
}
