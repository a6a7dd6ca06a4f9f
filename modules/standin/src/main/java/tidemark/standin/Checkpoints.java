package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What clients of one process asked of checkpoints, and what became of it. Sequence numbers count from 0 in each
 * process. Guarded by the process's lock.
 */
final class Checkpoints {
    /** What the open-source edition says of them. */
    static final String IMPOSSIBLE =
            "The pipeline does not support checkpointing for the following reasons: Suspend is an enterprise feature";

    private record Failed(long number, String error, Instant at) {}

    private final List<Runnable> whenTaken = new ArrayList<>();
    private final List<Failed> failed = new ArrayList<>();
    private OptionalLong success = OptionalLong.empty();
    private OptionalLong asked = OptionalLong.empty();
    private long next;
    private boolean wanted;

    /** The number to wait for; {@code taken} runs in the circuit once that checkpoint is there. */
    long request(Runnable taken) {
        wanted = true;
        whenTaken.add(taken);
        asked = OptionalLong.of(next);
        return next++;
    }

    /** One that nobody asked for and that has no number: the timer of fault tolerance. */
    void request() {
        wanted = true;
    }

    /** One that cannot be, and says so to whoever asks later. */
    long refuse(String error, Instant now) {
        failed.add(new Failed(next, error, now));
        return next++;
    }

    boolean isWanted() {
        return wanted;
    }

    /** One checkpoint serves everybody who has asked so far. */
    List<Runnable> taken() {
        if (asked.isPresent()) {
            success = asked;
        }
        return answered();
    }

    /** An automatic one that fails leaves no number behind. */
    void failed(String error, Instant now) {
        asked.ifPresent(number -> failed.add(new Failed(number, error, now)));
        answered();
    }

    private List<Runnable> answered() {
        wanted = false;
        asked = OptionalLong.empty();
        List<Runnable> waiting = List.copyOf(whenTaken);
        whenTaken.clear();
        return waiting;
    }

    /** {@code {"success":n,"failure":…}}: the last of each. */
    JsonObject json() {
        var json = Json.createObjectBuilder();
        success.ifPresentOrElse(number -> json.add("success", number), () -> json.addNull("success"));
        if (failed.isEmpty()) {
            return json.addNull("failure").build();
        }
        Failed last = failed.getLast();
        return json.add(
                        "failure",
                        Json.createObjectBuilder()
                                .add("sequence_number", last.number())
                                .add("error", last.error())
                                .add("failed_at", last.at().toString()))
                .build();
    }
}
