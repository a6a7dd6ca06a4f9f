package tidemark.sink;

import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbException;
import java.io.ByteArrayInputStream;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The replies of Feldera by JSON-B. Their components are Optional wherever a version may leave the key out. */
final class ReplyJson {
    private static final Jsonb JSONB = JsonbBuilder.create();

    private ReplyJson() {}

    /** Empty when the body is not such JSON. */
    static <T> Optional<T> read(byte[] body, Class<T> type) {
        try {
            return Optional.ofNullable(JSONB.fromJson(new ByteArrayInputStream(body), type));
        } catch (JsonbException | NoSuchElementException malformed) {
            return Optional.empty();
        }
    }
}
