package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * URL-safe base64 without padding of {@code {"u":incarnation,"e":endpoint,"c":count}} (feldera.md 2).
 *
 * @param count everything that the endpoint had taken when the token was issued
 */
record CompletionToken(String incarnation, long endpoint, long count) {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    String text() {
        String json = "{\"u\":\"" + incarnation + "\",\"e\":" + endpoint + ",\"c\":" + count + "}";
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    static CompletionToken parse(String text) {
        JsonObject json = json(new String(decode(text), StandardCharsets.UTF_8));
        JsonValue incarnation = member(json, "u");
        JsonValue endpoint = member(json, "e");
        JsonValue count = member(json, "c");
        if (incarnation instanceof JsonString u && endpoint instanceof JsonNumber e && count instanceof JsonNumber c) {
            return new CompletionToken(u.getString(), e.longValue(), c.longValue());
        }
        throw ApiError.invalidToken("error parsing completion token: invalid type");
    }

    private static byte[] decode(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (ALPHABET.indexOf(text.charAt(i)) < 0) {
                throw notBase64("Invalid symbol " + (int) text.charAt(i) + ", offset " + i + ".");
            }
        }
        int spare = text.length() % 4;
        if (spare == 1) {
            throw notBase64("Invalid input length: " + text.length());
        }
        if (spare > 1) {
            int last = ALPHABET.indexOf(text.charAt(text.length() - 1));
            if ((last & (spare == 2 ? 15 : 3)) != 0) {
                int offset = text.length() - 1;
                throw notBase64("Invalid last symbol " + (int) text.charAt(offset) + ", offset " + offset + ".");
            }
        }
        return Base64.getUrlDecoder().decode(text);
    }

    private static ApiError notBase64(String why) {
        return ApiError.invalidToken("completion token is not a valid base64 string: " + why);
    }

    private static JsonObject json(String text) {
        try (var reader = Json.createReader(new StringReader(text))) {
            return reader.readObject();
        } catch (JsonException _) {
            String why = text.isEmpty()
                    ? "EOF while parsing a value at line 1 column 0"
                    : "expected value at line 1 column 1";
            throw ApiError.invalidToken("error parsing completion token: " + why);
        }
    }

    private static JsonValue member(JsonObject json, String name) {
        if (!json.containsKey(name)) {
            throw ApiError.invalidToken("error parsing completion token: missing field `" + name + "`");
        }
        return json.getValue("/" + name);
    }
}
