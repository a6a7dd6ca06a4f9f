package tidemark.standin;

import jakarta.json.Json;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * What {@link FaultProxy} does to a request that it was told to spoil. Delays add up with each other and with one
 * {@link Outcome}; of several outcomes the one that was injected first happens.
 */
public sealed interface HttpFault {
    /**
     * Everything takes longer: to the server the whole request, which then arrives even when its client has left
     * meanwhile (a ghost); to the client the beginning of the reply.
     */
    record Latency(Direction direction, Duration delay) implements HttpFault {}

    /** Bodies trickle. */
    record SlowBody(Direction direction, long bytesPerSecond) implements HttpFault {
        /** At least one byte per second. */
        public SlowBody {
            if (bytesPerSecond < 1) throw new IllegalArgumentException("no pace: " + bytesPerSecond);
        }
    }

    /** How the request ends, instead of with the server's reply. */
    sealed interface Outcome extends HttpFault {}

    /** The server gets the request and answers; the client's connection is closed without an answer. */
    record LostReply() implements Outcome {}

    /**
     * Both connections are reset when so many bytes of the request's body have been forwarded; always before its last
     * byte, so that the server never has all of it.
     */
    record ResetInRequest(long afterBytes) implements Outcome {}

    /**
     * The client's connection is reset when so many bytes of the reply's body have been forwarded; always before its
     * last byte. The server had the request.
     */
    record ResetInReply(long afterBytes) implements Outcome {}

    /** The proxy answers in the server's place, with a body of JSON; the server sees nothing. */
    record Answer(int status, OptionalLong retryAfterSeconds, String body) implements Outcome {}

    /** The server gets the request twice, one after the other; the client gets the second reply. */
    record DuplicateDelivery() implements Outcome {}

    /** No packet goes through any more: the rest is not read, nothing is answered, the connection stays open. */
    record BlackHole() implements Outcome {}

    /** An error as Feldera words it: {@code message}, {@code error_code}, {@code details} (feldera.md 1.6). */
    static Answer error(int status, String errorCode) {
        String body = Json.createObjectBuilder()
                .add("message", "injected by the fault proxy")
                .add("error_code", errorCode)
                .add("details", Json.createObjectBuilder())
                .build()
                .toString();
        return new Answer(status, OptionalLong.empty(), body);
    }

    /** The same, asking for patience. */
    static Answer error(int status, String errorCode, Duration retryAfter) {
        return new Answer(
                status,
                OptionalLong.of(retryAfter.toSeconds()),
                error(status, errorCode).body());
    }

    /** What {@code completion_status} says while nothing moves. */
    static Answer withheldCompletion() {
        return new Answer(200, OptionalLong.empty(), "{\"status\":\"inprogress\",\"step\":null}");
    }
}
