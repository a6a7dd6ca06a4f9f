package tidemark.standin;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The query string of a request, decoded as a form is ({@code +} is a blank); of equal names the first counts. */
final class QueryParameters {
    private final String raw;
    private final Map<String, String> values = new HashMap<>();

    QueryParameters(String raw) {
        this.raw = raw;
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals >= 0) {
                values.putIfAbsent(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
            }
        }
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return text; // a stray percent sign stands for itself
        }
    }

    Optional<String> first(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** As it was sent. */
    String raw() {
        return raw;
    }
}
