package tidemark.standin;

import java.util.Locale;
import java.util.regex.Pattern;

/** UUID: a string in any form that the uuid crate reads; shown lower-case with hyphens. */
final class UuidCodec implements ValueCodec {
    private static final int CANONICAL_LENGTH = 36;
    private static final Pattern OTHER_FORMS = Pattern.compile("(?:urn:uuid:)?\\{?([0-9a-fA-F-]*)}?");

    @Override
    public void transcode(JsonCursor in, ByteWriter out) {
        ValueCodec.requireString(in, "a UUID string or byte array");
        if (!in.isEscaped() && isCanonical(in.buffer(), in.rawStart(), in.rawEnd())) {
            out.put(in.buffer(), in.rawStart() - 1, in.rawEnd() + 1);
        } else {
            out.put('"' + hyphenated(in, in.string()) + '"');
        }
    }

    private static boolean isCanonical(byte[] text, int start, int end) {
        if (end - start != CANONICAL_LENGTH) {
            return false;
        }
        for (int i = 0; i < CANONICAL_LENGTH; i++) {
            byte one = text[start + i];
            boolean hyphen = i == 8 || i == 13 || i == 18 || i == 23;
            if (hyphen ? one != '-' : !JsonCursor.isDigit(one) && (one < 'a' || one > 'f')) {
                return false;
            }
        }
        return true;
    }

    private static String hyphenated(JsonCursor in, String text) {
        var form = OTHER_FORMS.matcher(text);
        if (!form.matches()) {
            int bad = 0;
            while (bad < text.length() && "0123456789abcdefABCDEF-".indexOf(text.charAt(bad)) >= 0) {
                bad++;
            }
            throw refused(
                    in,
                    "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `"
                            + text.substring(Math.min(bad, text.length() - 1), Math.min(bad + 1, text.length()))
                            + "` at "
                            + (bad + 1));
        }
        String digits = form.group(1).replace("-", "").toLowerCase(Locale.ROOT);
        if (digits.length() != 32) {
            throw refused(in, "invalid length: expected length 32 for simple format, found " + digits.length());
        }
        return String.join(
                "-",
                digits.substring(0, 8),
                digits.substring(8, 12),
                digits.substring(12, 16),
                digits.substring(16, 20),
                digits.substring(20));
    }

    private static ValueRefused refused(JsonCursor in, String why) {
        return new ValueRefused("UUID parsing failed: " + why + in.position());
    }
}
