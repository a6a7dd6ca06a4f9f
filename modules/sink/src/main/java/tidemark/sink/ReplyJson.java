package tidemark.sink;

import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbException;
import java.io.ByteArrayInputStream;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The replies of Feldera by JSON-B. Their components are Optional, since versions leave keys out or write null.
 *
 * <p>Yasson calls neither constructors nor accessors that are not public, so the records are public inside classes that
 * are not: nobody else can name them.
 */
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
