package tidemark.standin;

import io.helidon.http.Headers;
import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.encoding.ContentEncodingContextConfig;

/**
 * Request bodies as they come, whatever {@code Content-Encoding} they declare: Feldera does not look at it (recorded
 * exchange 12), where Helidon refuses what it cannot unpack. Answers are as Helidon has them.
 */
final class Unpacked implements ContentEncodingContext {
    private final ContentEncodingContext answers = ContentEncodingContext.create();

    @Override
    public boolean contentDecodingEnabled() {
        return true;
    }

    @Override
    public boolean contentDecodingSupported(String encoding) {
        return true;
    }

    @Override
    public ContentDecoder decoder(String encoding) {
        return ContentDecoder.NO_OP;
    }

    @Override
    public boolean contentEncodingEnabled() {
        return answers.contentEncodingEnabled();
    }

    @Override
    public boolean contentEncodingSupported(String encoding) {
        return answers.contentEncodingSupported(encoding);
    }

    @Override
    public ContentEncoder encoder(String encoding) {
        return answers.encoder(encoding);
    }

    @Override
    public ContentEncoder encoder(Headers headers) {
        return answers.encoder(headers);
    }

    @Override
    public ContentEncodingContextConfig prototype() {
        return answers.prototype();
    }
}
