package tidemark.sink;

/**
 * Finds where one JSON object ends in a stream of them, byte by byte, and counts its members. UTF-8; no syntax check.
 */
final class JsonObjectEnd {
    private int depth;
    private boolean inString;
    private boolean escaped;
    private int separators;

    /** True when {@code next} closes the object. What stands before it is skipped. */
    boolean isAt(byte next) {
        if (inString) {
            if (escaped) escaped = false;
            else if (next == '\\') escaped = true;
            else if (next == '"') inString = false;
            return false;
        }
        switch (next) {
            case '"' -> inString = depth > 0;
            case '{', '[' -> depth++;
            case '}', ']' -> depth--;
            case ',' -> {
                if (depth == 1) separators++;
            }
            default -> {}
        }
        return depth == 0 && next == '}';
    }

    boolean begun() {
        return depth > 0;
    }

    int members() {
        return separators + 1;
    }
}
