package tidemark.standin;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses a piece of the body of one POST to {@code /ingress}, piece by piece (feldera.md 1.4, 1.5). With
 * {@code array=true} a piece is one array, taken whole or not at all; else a piece is one value, and bad ones are
 * skipped.
 *
 * <p>Belongs to one request; {@link #next} is called under the endpoint's lock, because rows are read with its scratch
 * space and events are numbered by it.
 */
final class IngressBody {
    private static final String ROW_SUGGESTION = "Example valid JSON: '{{\"insert\": {{...}} }}'";
    private static final String ARRAY_SUGGESTION =
            "Example valid JSON: '[{{\"insert\": {{...}} }}, {{\"delete\": {{...}} }}]'";
    private static final String BAD_ROW = "error deserializing JSON string as a single-row update: ";
    private static final String BAD_ARRAY = "error deserializing string as a JSON array of updates: ";

    /** What one update object asked for, in the order in which it applies: delete, insert, update. */
    private final List<Change> update = new ArrayList<>(3);

    private final JsonCursor in;
    private final IngressParameters parameters;
    private final ParseErrors errors;

    /**
     * @param length of what was received; the rest of a body whose client left is missing
     * @param errors of this piece and of those before it
     */
    IngressBody(byte[] body, int length, IngressParameters parameters, ParseErrors errors) {
        this.in = new JsonCursor(body, 0, length);
        this.parameters = parameters;
        this.errors = errors;
    }

    boolean hasNext() {
        return in.peek() >= 0;
    }

    /**
     * Reads the next piece, and adds its changes to {@code changes} unless it is refused; answers how many bytes it
     * had.
     */
    int next(EventReader events, List<Change> changes) {
        in.peek();
        int start = in.at();
        in.moveTo(start, 0);
        in.markOrigin(start);
        int before = changes.size();
        try {
            if (parameters.array()) {
                readArray(events, changes);
            } else {
                readValue(events, changes);
            }
        } catch (MalformedJson malformed) {
            changes.subList(before, changes.size()).clear();
            int end = fragmentEnd(start);
            in.moveTo(end, 0);
            errors.envelope(
                    "failed to parse string as a JSON document: " + malformed.getMessage()
                            + in.positionOf(malformed.offset()),
                    fragment(start, end),
                    "");
        }
        return in.at() - start;
    }

    private void readArray(EventReader events, List<Change> changes) {
        int start = in.at();
        int before = changes.size();
        long refusedBefore = errors.count();
        if (!in.isNext('[')) {
            String found = ValueCodec.mismatch(in, "a sequence").description();
            in.moveTo(start, 0);
            in.skipValue();
            errors.envelope(BAD_ARRAY + found, fragment(start, in.at()), ARRAY_SUGGESTION);
            return;
        }
        in.enterArray();
        try {
            for (boolean first = true; in.nextElement(first); first = false) {
                in.peek();
                readEvent(events, changes);
            }
        } catch (BadEnvelope bad) {
            in.moveTo(start, 0);
            in.skipValue();
            changes.subList(before, changes.size()).clear();
            errors.envelope(BAD_ARRAY + bad.getMessage(), fragment(start, in.at()), ARRAY_SUGGESTION);
        }
        if (errors.count() > refusedBefore) {
            changes.subList(before, changes.size()).clear();
        }
    }

    private void readValue(EventReader events, List<Change> changes) {
        int start = in.at();
        try {
            readEvent(events, changes);
        } catch (BadEnvelope bad) {
            in.moveTo(start, 0);
            in.skipValue();
            errors.event(BAD_ROW + bad.getMessage(), events.lastEvent(), "", fragment(start, in.at()), ROW_SUGGESTION);
        }
    }

    private void readEvent(EventReader events, List<Change> changes) {
        events.countEvent();
        update.clear();
        switch (parameters.format()) {
            case RAW, AD_HOC -> events.read(in, EventReader.Operation.INSERT, update, errors);
            case PANICS -> throw new IllegalStateException("a parser that panics was asked to go on");
            case INSERT_DELETE -> events.readUpdate(in, update, errors);
        }
        changes.addAll(update);
    }

    private String fragment(int start, int end) {
        return new String(in.buffer(), start, end - start, StandardCharsets.UTF_8);
    }

    /**
     * Where Feldera's splitter would have cut a piece that does not parse: at the bracket that balances, before a
     * bracket that opens after other text, or at white space; with {@code lines=single} a piece is all the lines there
     * are.
     */
    private int fragmentEnd(int start) {
        if (parameters.lines() == IngressParameters.Lines.SINGLE) {
            return in.end();
        }
        byte[] text = in.buffer();
        int depth = 0;
        for (int i = start; i < in.end(); i++) {
            switch (text[i]) {
                case '"' -> i = closingQuote(text, i);
                case '{', '[' -> {
                    if (depth == 0 && i > start) {
                        return i;
                    }
                    depth++;
                }
                case '}', ']' -> {
                    if (depth > 0 && --depth == 0) {
                        return i + 1;
                    }
                }
                case ' ', '\n', '\r', '\t' -> {
                    if (depth == 0) {
                        return i;
                    }
                }
                default -> {}
            }
        }
        return in.end();
    }

    private int closingQuote(byte[] text, int opening) {
        int i = opening + 1;
        while (i < in.end() && text[i] != '"') {
            i += text[i] == '\\' ? 2 : 1;
        }
        return Math.min(i, in.end());
    }
}
