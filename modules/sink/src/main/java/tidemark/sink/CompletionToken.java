package tidemark.sink;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * What Feldera answered to a POST; sent back verbatim.
 *
 * @param mark what the token says about itself, when it can be read (feldera.md §2); a token that cannot is no error,
 *     only the end of counting by tokens
 */
public record CompletionToken(String text, Optional<Mark> mark) {
    /**
     * @param incarnation the life of the pipeline that took the rows
     * @param count operations that the endpoint has taken in this life, all clients together
     */
    public record Mark(String incarnation, long endpoint, long count) {}

    /** Base64 of JSON: this version's without padding in the URL-safe alphabet, older ones' with {@code + / =}. */
    public static CompletionToken read(String text) {
        String urlSafe = text.replace('+', '-').replace('/', '_');
        try {
            byte[] json = Base64.getUrlDecoder().decode(urlSafe.getBytes(StandardCharsets.ISO_8859_1));
            return new CompletionToken(
                    text, ReplyJson.read(json, TokenJson.Inside.class).flatMap(TokenJson.Inside::mark));
        } catch (IllegalArgumentException notBase64) {
            return new CompletionToken(text, Optional.empty());
        }
    }
}
