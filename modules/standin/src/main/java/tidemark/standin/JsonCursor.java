package tidemark.standin;

import java.nio.charset.StandardCharsets;

/**
 * Reads JSON where it lies, byte by byte, without building a tree: the ingress path sees millions of rows. Strict as
 * serde_json is (no trailing commas, no raw control characters, valid UTF-8, nesting of at most 128), and with its
 * words.
 *
 * <p>Positions are byte offsets; {@link #markOrigin} sets where "line 1 column 0" of the error texts is. One owner.
 */
final class JsonCursor {
    /** serde_json's recursion limit. */
    private static final int DEPTH_MAX = 128;

    private final byte[] text;
    private final int end;
    private final QuotedText quoted;
    private int at;
    private int origin;
    private int depth;
    private int start;
    private int stop;
    private boolean integer;

    JsonCursor(byte[] text, int from, int end) {
        this.text = text;
        this.at = from;
        this.origin = from;
        this.end = end;
        this.quoted = new QuotedText(text, end);
    }

    static JsonCursor over(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return new JsonCursor(bytes, 0, bytes.length);
    }

    int at() {
        return at;
    }

    /** How many arrays and objects are open where the cursor is. */
    int depth() {
        return depth;
    }

    /** Back to where the cursor was, with as many arrays and objects open as there were. */
    void moveTo(int offset, int openThere) {
        at = offset;
        depth = openThere;
    }

    int end() {
        return end;
    }

    byte[] buffer() {
        return text;
    }

    void markOrigin(int offset) {
        origin = offset;
    }

    int origin() {
        return origin;
    }

    /** The next byte that is not white space, not consumed; -1 at the end. */
    int peek() {
        while (at < end) {
            byte one = text[at];
            if (one != ' ' && one != '\n' && one != '\r' && one != '\t') {
                return one & 0xff;
            }
            at++;
        }
        return -1;
    }

    boolean isNext(char wanted) {
        return peek() == wanted;
    }

    boolean take(char wanted) {
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    boolean takeNull() {
        if (peek() != 'n') {
            return false;
        }
        literal("null");
        return true;
    }

    boolean takeBoolean() {
        boolean value = peek() == 't';
        literal(value ? "true" : "false");
        return value;
    }

    /** Consumes the brace of an object that is next. */
    void enterObject() {
        at++;
        deeper();
    }

    /**
     * Moves to the next key and past its colon; false when the object ended instead. The key is the string last read.
     */
    boolean nextKey(boolean first) {
        int next = peek();
        if (next == '}') {
            at++;
            depth--;
            return false;
        }
        if (next < 0) {
            throw malformed("EOF while parsing an object");
        }
        if (!first) {
            if (next != ',') {
                throw malformed("expected `,` or `}`");
            }
            at++;
            next = peek();
        }
        if (next == '}') {
            throw malformed("trailing comma");
        }
        if (next != '"') {
            throw malformed(next < 0 ? "EOF while parsing a value" : "key must be a string");
        }
        readString();
        return true;
    }

    /** After {@link #nextKey}: consumes the colon. Apart, because an error about the key is reported before it. */
    void enterValue() {
        if (!take(':')) {
            throw malformed(at < end ? "expected `:`" : "EOF while parsing an object");
        }
    }

    /** Consumes the bracket of an array that is next. */
    void enterArray() {
        at++;
        deeper();
    }

    boolean nextElement(boolean first) {
        int next = peek();
        if (next == ']') {
            at++;
            depth--;
            return false;
        }
        if (next < 0) {
            throw malformed("EOF while parsing a list");
        }
        if (!first) {
            if (next != ',') {
                throw malformed("expected `,` or `]`");
            }
            at++;
            if (peek() == ']') {
                throw malformed("trailing comma");
            }
        }
        return true;
    }

    /**
     * Consumes the string that is next; afterwards {@link #rawStart} to {@link #rawEnd} is what stands between its
     * quotes.
     */
    void readString() {
        at = quoted.read(at + 1);
        start = quoted.start();
        stop = quoted.stop();
    }

    int rawStart() {
        return start;
    }

    int rawEnd() {
        return stop;
    }

    /** The string last read has escapes, so its raw bytes are not its text. */
    boolean isEscaped() {
        return quoted.isEscaped();
    }

    /** The text of the string last read, decoded; valid until the next call. */
    ByteWriter decodeString() {
        return quoted.decoded().orElseThrow(() -> new ValueRefused("unexpected end of hex escape" + position()));
    }

    /** The string last read, as text. */
    String string() {
        return isEscaped() ? decodeString().toString() : new String(text, start, stop - start, StandardCharsets.UTF_8);
    }

    /** Consumes the number that is next; afterwards {@link #rawStart} to {@link #rawEnd} is its text. */
    void readNumber() {
        start = at;
        integer = true;
        if (text[at] == '-') {
            at++;
        }
        if (at < end && text[at] == '0') {
            at++;
            if (at < end && isDigit(text[at])) {
                throw malformed("invalid number");
            }
        } else {
            digits();
        }
        if (at < end && text[at] == '.') {
            integer = false;
            at++;
            digits();
        }
        if (at < end && (text[at] == 'e' || text[at] == 'E')) {
            integer = false;
            at++;
            if (at < end && (text[at] == '+' || text[at] == '-')) {
                at++;
            }
            digits();
        }
        stop = at;
    }

    private void digits() {
        int from = at;
        while (at < end && isDigit(text[at])) {
            at++;
        }
        if (from == at) {
            throw malformed(at < end ? "invalid number" : "EOF while parsing a value");
        }
    }

    /** The number last read has neither fraction nor exponent. */
    boolean isInteger() {
        return integer;
    }

    String number() {
        return new String(text, start, stop - start, StandardCharsets.US_ASCII);
    }

    void skipValue() {
        int next = peek();
        switch (next) {
            case '{' -> {
                enterObject();
                for (boolean first = true; nextKey(first); first = false) {
                    enterValue();
                    skipValue();
                }
            }
            case '[' -> {
                enterArray();
                for (boolean first = true; nextElement(first); first = false) {
                    skipValue();
                }
            }
            case '"' -> readString();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> {
                if (next != '-' && !isDigit(next)) {
                    throw malformed(next < 0 ? "EOF while parsing a value" : "expected value");
                }
                readNumber();
            }
        }
    }

    static boolean isDigit(int one) {
        return one >= '0' && one <= '9';
    }

    private void literal(String word) {
        at++;
        for (int i = 1; i < word.length(); i++, at++) {
            if (at >= end || text[at] != word.charAt(i)) {
                throw malformed(at < end ? "expected ident" : "EOF while parsing a value");
            }
        }
    }

    private void deeper() {
        if (++depth > DEPTH_MAX) {
            throw malformed("recursion limit exceeded");
        }
    }

    /** Where the cursor is, in serde_json's words. */
    String position() {
        return positionOf(at);
    }

    String positionOf(int offset) {
        int line = 1;
        int lineStart = origin;
        for (int i = origin; i < offset && i < end; i++) {
            if (text[i] == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return " at line " + line + " column " + (offset - lineStart);
    }

    /** serde_json counts the byte it looked at, unless there was none. */
    MalformedJson malformed(String what) {
        return new MalformedJson(what, at < end ? at + 1 : at);
    }
}
