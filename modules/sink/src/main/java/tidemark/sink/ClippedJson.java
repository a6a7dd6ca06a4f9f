package tidemark.sink;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * JSON text with every string cut to {@code longest} bytes, so that it can be parsed in constant memory.
 *
 * <p>Needed because Feldera's error bodies begin with a message that quotes the rejected array (a 3 MB array was
 * answered with 6.2 MB, feldera.md 16) and tell the error_code only after it. Cuts between characters and between
 * escapes, never inside.
 */
final class ClippedJson extends InputStream {
    private final InputStream json;
    private final int longest;
    private final byte[] chunk = new byte[8 * 1024];
    private int position;
    private int filled;

    private boolean inString;
    private int length;
    private int escapeLeft;
    private boolean clipping;

    ClippedJson(InputStream json, int longest) {
        this.json = json;
        this.longest = longest;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int wanted) throws IOException {
        Objects.checkFromIndexSize(offset, wanted, into.length);
        int kept = 0;
        while (kept == 0 && wanted > 0) {
            if (position == filled && !fill()) return -1;
            while (position < filled && kept < wanted) {
                byte next = chunk[position++];
                if (keeps(next & 0xFF)) into[offset + kept++] = next;
            }
        }
        return kept;
    }

    private boolean fill() throws IOException {
        position = 0;
        filled = Math.max(json.read(chunk, 0, chunk.length), 0);
        return filled > 0;
    }

    private boolean keeps(int next) {
        if (!inString) {
            inString = next == '"';
            length = 0;
            clipping = false;
            return true;
        }
        if (escapeLeft > 0) {
            escapeLeft = next == 'u' && escapeLeft == 1 ? 4 : escapeLeft - 1;
        } else if (next == '"') {
            inString = false;
            return true;
        } else {
            boolean insideCharacter = (next & 0xC0) == 0x80;
            if (length >= longest && !insideCharacter) clipping = true;
            if (next == '\\') escapeLeft = 1;
        }
        length++;
        return !clipping;
    }
}
