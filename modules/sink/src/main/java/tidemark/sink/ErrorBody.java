package tidemark.sink;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What an error reply's body says: {@code {"message", "error_code", "details"}} everywhere (feldera.md §1.7), or some
 * other text, for which the code is empty and the message is how the text begins.
 *
 * <p>Read in constant memory however long the body is: strings are cut to {@value #LONGEST_STRING} bytes, at most
 * {@value #MOST_PARSE_ERRORS} parse errors are kept.
 *
 * @param message may quote rows
 * @param parseErrorCount {@code details.num_errors}, Feldera's own count
 */
record ErrorBody(String errorCode, String message, OptionalLong parseErrorCount, List<ParseError> parseErrors) {
    private static final int LONGEST_STRING = 512;
    private static final int MOST_PARSE_ERRORS = 100;
    private static final int HEAD_BYTES = 64 * 1024;

    private static final JsonParserFactory PARSERS = Json.createParserFactory(Map.of());

    /** @param description quotes the value */
    record ParseError(String tag, String field, String description) {}

    static ErrorBody read(InputStream body) {
        try {
            byte[] head = body.readNBytes(HEAD_BYTES);
            if (!startsAnObject(head)) return plain(head);
            InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), body);
            return new Reader().read(new ClippedJson(whole, LONGEST_STRING));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean startsAnObject(byte[] head) {
        for (byte b : head) {
            if (!Character.isWhitespace(b)) return b == '{';
        }
        return false;
    }

    private static ErrorBody plain(byte[] head) {
        String text = new String(head, 0, Math.min(head.length, LONGEST_STRING), StandardCharsets.UTF_8);
        return new ErrorBody("", text.strip(), OptionalLong.empty(), List.of());
    }

    /** Follows the parser's events; {@code depth} counts open objects and arrays, {@code key} is the last one seen. */
    private static final class Reader {
        private static final int TOP = 1;
        private static final int DETAILS = 2;
        private static final int ONE_ERROR = 4;

        private String errorCode = "";
        private String message = "";
        private OptionalLong count = OptionalLong.empty();
        private final List<ParseError> errors = new ArrayList<>();

        private int depth;
        private String key = "";
        private String tag = "";
        private String field = "";
        private String description = "";

        ErrorBody read(InputStream json) {
            try (JsonParser parser = PARSERS.createParser(json, StandardCharsets.UTF_8)) {
                while (parser.hasNext()) follow(parser.next(), parser);
            } catch (JsonException malformed) {
                // A failed read is a failed exchange. Anything else: not the documented shape, and what was found has
                // to do.
                if (malformed.getCause() instanceof IOException e) throw new UncheckedIOException(e);
            }
            return new ErrorBody(errorCode, message, count, List.copyOf(errors));
        }

        private void follow(JsonParser.Event event, JsonParser parser) {
            switch (event) {
                case START_OBJECT, START_ARRAY -> depth++;
                case END_OBJECT, END_ARRAY -> {
                    if (depth == ONE_ERROR) keep();
                    depth--;
                }
                case KEY_NAME -> key = parser.getString();
                case VALUE_STRING -> text(parser.getString());
                case VALUE_NUMBER -> {
                    if (depth == DETAILS && key.equals("num_errors")) count = OptionalLong.of(parser.getLong());
                }
                case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> {}
            }
        }

        private void text(String value) {
            switch (depth) {
                case TOP -> {
                    if (key.equals("error_code")) errorCode = value;
                    if (key.equals("message")) message = value;
                }
                case ONE_ERROR -> {
                    if (key.equals("tag")) tag = value;
                    if (key.equals("field")) field = value;
                    if (key.equals("description")) description = value;
                }
                default -> {}
            }
        }

        private void keep() {
            if (!tag.isEmpty() && errors.size() < MOST_PARSE_ERRORS) {
                errors.add(new ParseError(tag, field, description));
            }
            tag = "";
            field = "";
            description = "";
        }
    }
}
