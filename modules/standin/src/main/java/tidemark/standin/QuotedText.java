package tidemark.standin;

import java.util.Optional;

/**
 * One JSON string where it lies: where it ends, and what it says. As strict as serde_json: no raw control characters,
 * valid UTF-8, known escapes. A surrogate without its other half is found only by {@link #decoded}.
 *
 * <p>Positions are byte offsets. Belongs to one {@link JsonCursor}.
 */
final class QuotedText {
    private final byte[] text;
    private final int end;
    private final ByteWriter decoded = new ByteWriter(64);
    private int at;
    private int start;
    private int stop;
    private boolean escaped;

    QuotedText(byte[] text, int end) {
        this.text = text;
        this.end = end;
    }

    /** @param from after the opening quote; the answer is after the closing one */
    int read(int from) {
        start = from;
        at = from;
        escaped = false;
        while (true) {
            if (at >= end) {
                throw malformed("EOF while parsing a string");
            }
            byte one = text[at];
            if (one == '"') {
                stop = at;
                return at + 1;
            }
            if (one == '\\') {
                escaped = true;
                skipEscape();
            } else if (one < 0) {
                skipMultibyte();
            } else if (one < 0x20) {
                throw malformed("control character (\\u0000-\\u001F) found while parsing a string");
            } else {
                at++;
            }
        }
    }

    int start() {
        return start;
    }

    int stop() {
        return stop;
    }

    boolean isEscaped() {
        return escaped;
    }

    private void skipEscape() {
        at++;
        if (at >= end) {
            throw malformed("EOF while parsing a string");
        }
        switch (text[at++]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {}
            case 'u' -> {
                hex4(at);
                at += 4;
            }
            default -> throw malformed("invalid escape");
        }
    }

    private int hex4(int from) {
        int code = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = i < end ? Character.digit(text[i], 16) : -1;
            if (digit < 0) {
                throw malformed(i < end ? "invalid escape" : "EOF while parsing a string");
            }
            code = code << 4 | digit;
        }
        return code;
    }

    private void skipMultibyte() {
        int lead = text[at] & 0xff;
        int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        boolean good = lead >= 0xc2 && lead <= 0xf4 && at + more < end;
        for (int i = 1; good && i <= more; i++) {
            good = (text[at + i] & 0xc0) == 0x80;
        }
        if (good && more > 1) {
            int second = text[at + 1] & 0xff;
            // Overlong forms, surrogates and what lies beyond U+10FFFF (RFC 3629).
            good = switch (lead) {
                case 0xe0 -> second >= 0xa0;
                case 0xed -> second < 0xa0;
                case 0xf0 -> second >= 0x90;
                case 0xf4 -> second < 0x90;
                default -> true;
            };
        }
        if (!good) {
            throw malformed("invalid unicode code point");
        }
        at += more + 1;
    }

    /** What the string last read says, valid until the next call; empty when half a surrogate pair is in it. */
    Optional<ByteWriter> decoded() {
        decoded.clear();
        for (int i = start; i < stop; ) {
            byte one = text[i++];
            if (one != '\\') {
                decoded.put(one);
                continue;
            }
            byte kind = text[i++];
            switch (kind) {
                case 'b' -> decoded.put('\b');
                case 'f' -> decoded.put('\f');
                case 'n' -> decoded.put('\n');
                case 'r' -> decoded.put('\r');
                case 't' -> decoded.put('\t');
                case 'u' -> {
                    int length = unicodeLength(i);
                    if (length == 0) {
                        return Optional.empty();
                    }
                    i += length;
                }
                default -> decoded.put(kind);
            }
        }
        return Optional.of(decoded);
    }

    /** Decodes one character from its hex digits, two escapes for a pair; 0 for one half without the other. */
    private int unicodeLength(int from) {
        char code = (char) hex4(from);
        if (!Character.isSurrogate(code)) {
            decoded.put(Character.toString(code));
            return 4;
        }
        boolean paired = Character.isHighSurrogate(code)
                && from + 9 < stop
                && text[from + 4] == '\\'
                && text[from + 5] == 'u'
                && Character.isLowSurrogate((char) hex4(from + 6));
        if (!paired) {
            return 0;
        }
        decoded.put(Character.toString(Character.toCodePoint(code, (char) hex4(from + 6))));
        return 10;
    }

    /** serde_json counts the byte it looked at, unless there was none. */
    private MalformedJson malformed(String what) {
        return new MalformedJson(what, at < end ? at + 1 : at);
    }
}
