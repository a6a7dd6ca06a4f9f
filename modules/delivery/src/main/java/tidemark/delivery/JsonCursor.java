package tidemark.delivery;

import java.util.Arrays;

/**
 * Reads JSON in place, token by token, for whoever knows what must come; anything else is {@link UnreadableValue}.
 * White space between tokens is skipped. UTF-8 is copied, not checked.
 */
final class JsonCursor {
    private static final byte[] TRUE = RowBytes.ascii("true");
    private static final byte[] FALSE = RowBytes.ascii("false");
    static final byte[] NULL = RowBytes.ascii("null");

    private byte[] bytes = {};
    private int at;
    private int end;

    void read(byte[] text, int start, int until) {
        bytes = text;
        at = start;
        end = until;
    }

    /** Where the next token begins, or the last one ended. */
    int at() {
        return at;
    }

    byte[] bytes() {
        return bytes;
    }

    /** The first byte of the next token, which stays; 0 at the end. */
    int peek() {
        while (at < end && isSpace(bytes[at])) at++;
        return at < end ? bytes[at] : 0;
    }

    private static boolean isSpace(byte one) {
        return one == ' ' || one == '\n' || one == '\t' || one == '\r';
    }

    boolean take(char symbol) {
        if (peek() != symbol) return false;
        at++;
        return true;
    }

    void expect(char symbol) {
        if (!take(symbol)) throw new UnreadableValue("'" + symbol + "'");
    }

    void expectEnd() {
        if (peek() != 0) throw new UnreadableValue("nothing more");
    }

    /** Whether an array or object that was entered goes on; takes the comma, or the closing bracket. */
    boolean goesOn(boolean first, char close) {
        if (take(close)) return false;
        if (!first) expect(',');
        return true;
    }

    boolean takeNull() {
        return peek() == 'n' && takeWord(NULL);
    }

    boolean takeBoolean() {
        if (takeWord(TRUE)) return true;
        if (takeWord(FALSE)) return false;
        throw new UnreadableValue("true or false");
    }

    /** The very bytes of {@code word} if they are next. */
    boolean takeWord(byte[] word) {
        peek();
        if (end - at < word.length) return false;
        for (int i = 0; i < word.length; i++) {
            if (bytes[at + i] != word[i]) return false;
        }
        at += word.length;
        return true;
    }

    /** The very bytes of {@code key}, which end with a colon; white space may stand around that. */
    void expectKey(byte[] key) {
        peek();
        int name = key.length - 1;
        boolean found = end - at >= name && Arrays.equals(bytes, at, at + name, key, 0, name);
        if (!found) throw new UnreadableValue("another member");
        at += name;
        expect(':');
    }

    /** The next byte, inside a token; 0 at the end. */
    int next() {
        return at < end ? bytes[at++] : 0;
    }

    /** Takes a string, a number, true or false, and returns where it began; it ends at {@link #at()}. */
    int scalar() {
        int first = peek();
        int start = at;
        if (first == '"') skipString();
        else if (first == 't' || first == 'f') takeBoolean();
        else number();
        return start;
    }

    private void skipString() {
        for (at++; at < end && bytes[at] != '"'; at++) {
            if (bytes[at] == '\\') at++;
        }
        if (at >= end) throw new UnreadableValue("the end of a string");
        at++;
    }

    /** Takes a number and returns where it began; it ends at {@link #at()}. */
    int number() {
        peek();
        int start = at;
        while (at < end && isOfNumber(bytes[at])) at++;
        if (at == start) throw new UnreadableValue("a number");
        return start;
    }

    private static boolean isOfNumber(byte one) {
        return CalendarText.isDigit(one) || one == '-' || one == '.' || one == 'e' || one == 'E' || one == '+';
    }

    /** Takes a string and puts what it stands for, in UTF-8. */
    void string(ComparableBytes out) {
        expect('"');
        while (true) {
            int plain = at;
            while (at < end && bytes[at] != '"' && bytes[at] != '\\') at++;
            out.put(bytes, plain, at - plain);
            if (at == end) throw new UnreadableValue("the end of a string");
            if (bytes[at++] == '"') return;
            escape(out);
        }
    }

    private void escape(ComparableBytes out) {
        if (at == end) throw new UnreadableValue("an escape");
        byte escaped = bytes[at++];
        switch (escaped) {
            case '"', '\\', '/' -> out.put(escaped);
            case 'b' -> out.put('\b');
            case 'f' -> out.put('\f');
            case 'n' -> out.put('\n');
            case 'r' -> out.put('\r');
            case 't' -> out.put('\t');
            case 'u' -> out.putUtf8(codePoint());
            default -> throw new UnreadableValue("an escape");
        }
    }

    private int codePoint() {
        char unit = unit();
        if (!Character.isSurrogate(unit)) return unit;
        boolean pair = Character.isHighSurrogate(unit) && end - at >= 2 && bytes[at] == '\\' && bytes[at + 1] == 'u';
        if (!pair) throw new UnreadableValue("a pair of surrogates");
        at += 2;
        char low = unit();
        if (!Character.isLowSurrogate(low)) throw new UnreadableValue("a pair of surrogates");
        return Character.toCodePoint(unit, low);
    }

    private char unit() {
        if (end - at < 4) throw new UnreadableValue("four hexadecimal digits");
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(bytes[at++], 16);
            if (digit < 0) throw new UnreadableValue("four hexadecimal digits");
            unit = (unit << 4) | digit;
        }
        return (char) unit;
    }
}
