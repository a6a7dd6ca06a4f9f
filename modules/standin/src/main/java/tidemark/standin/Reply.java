package tidemark.standin;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** An answer on its way to a client, in the form that the recorded API server gives it (feldera.md 1.6, 1.7). */
sealed interface Reply {
    void send(ServerResponse response);

    /**
     * An answer that is known as a whole.
     *
     * @param apiServers whether the API server itself says it: then a 503 tells when to come again
     */
    record Whole(int status, String contentType, String body, boolean apiServers) implements Reply {
        private static final String JSON = "application/json";

        static Whole json(int status, String body) {
            return new Whole(status, JSON, body, true);
        }

        static Whole text(String body) {
            return new Whole(200, "text/plain", body, true);
        }

        static Whole accepted(String what) {
            return json(202, '"' + what + '"');
        }

        static Whole of(ApiError error) {
            return json(error.status(), error.json());
        }

        /** What a process says, its errors included. */
        static Whole ofProcess(Supplier<String> answer) {
            try {
                return new Whole(200, JSON, answer.get(), false);
            } catch (ApiError error) {
                return new Whole(error.status(), JSON, error.json(), false);
            }
        }

        /** What actix says of a query string that does not fit: no JSON. */
        static Whole badQuery(String why) {
            return new Whole(400, "text/plain; charset=utf-8", "Query deserialize error: " + why, false);
        }

        @Override
        public void send(ServerResponse response) {
            response.status(Status.create(status)).header(HeaderNames.CONTENT_TYPE, contentType);
            if (apiServers && status == 503) {
                response.header(HeaderNames.RETRY_AFTER, "5");
            }
            response.send(body.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Passed through from the process as it comes: in chunks, of a length that nobody announced. */
    record Forwarded(int status, String json) implements Reply {
        static Forwarded of(ApiError error) {
            return new Forwarded(error.status(), error.json());
        }

        @Override
        public void send(ServerResponse response) {
            response.status(Status.create(status));
            stream(response, out -> {
                out.write(json.getBytes(StandardCharsets.UTF_8));
                out.flush();
            });
        }
    }

    /** Rows, for as long as there are any. */
    record Rows(QueryAnswer answer) implements Reply {
        @Override
        public void send(ServerResponse response) {
            stream(response, answer::write);
        }
    }

    /** Writes a body piece by piece. */
    interface Body {
        void write(OutputStream out) throws IOException;
    }

    private static void stream(ServerResponse response, Body body) {
        response.header(HeaderNames.CONTENT_TYPE, "application/json").header(HeaderNames.CONTENT_ENCODING, "identity");
        try (OutputStream out = response.outputStream()) {
            body.write(out);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
