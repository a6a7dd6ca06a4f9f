package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import tidemark.decode.Lsn;
import tidemark.sink.CompletionToken;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;
import tidemark.sink.PipelineStats;
import tidemark.sink.Problem;
import tidemark.sink.SinkFailure;

/** A core whose events a test makes up and whose decisions it takes out; the clock is {@code now}. */
class DrivenCore {
    static final FelderaName USERS = new FelderaName("users", false);
    static final FelderaName ITEMS = new FelderaName("items", false);
    static final Lsn RESUME = Lsn.parse("0/100");
    static final long MILLI = Duration.ofMillis(1).toNanos();
    static final String LIFE = "life-1";

    DeliverySettings settings =
            Settings.stopping(Settings.of(Path.of("unused"), 3, Duration.ofMillis(10), "users", "items"));
    final Outbox outbox = new Outbox(settings);
    final EndpointCounts counts = new EndpointCounts();
    DeliveryCore core = core(SlotTenure.byTurn());
    final List<Decision> decisions = new ArrayList<>();
    long now;

    Completions completions() {
        return new Completions(settings.completionTimeout(), new SplittableRandom(1));
    }

    DeliveryCore core(SlotTenure tenure) {
        counts.begin(LIFE, Map.of(USERS, new EndpointCounts.Counted(5, true)));
        return new DeliveryCore(settings, outbox, LIFE, RESUME, counts, List.of(USERS), tenure, completions(), 0);
    }

    void transaction(Lsn end, FelderaName table) {
        on(new Event.Begun());
        add(table);
        on(new Event.Committed(end));
    }

    void fill(Lsn end) {
        on(new Event.Begun());
        for (int row = 0; row < settings.maxRows(); row++) add(USERS);
        on(new Event.Committed(end));
    }

    void add(FelderaName table) {
        add(outbox, table);
    }

    static void add(Outbox outbox, FelderaName table) {
        RowBytes body = outbox.into(table);
        long mark = body.mark();
        body.beginOperation("{\"insert\":0}".getBytes(StandardCharsets.US_ASCII));
        outbox.added(1, body.bytesSince(mark), 0);
    }

    void on(Event event) {
        decisions.addAll(core.on(event, now));
    }

    void tick(long millis) {
        now = millis * MILLI;
        on(new Event.Elapsed());
    }

    void accept(Decision.Post post, long count) {
        on(new Event.Answered(post.batchId(), new IngressReply.Accepted(token(LIFE, count))));
    }

    <T extends Decision> T only(Class<T> kind) {
        List<T> found = all(kind);
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /** Takes all decisions of a kind out. */
    <T extends Decision> List<T> all(Class<T> kind) {
        List<T> found =
                decisions.stream().filter(kind::isInstance).map(kind::cast).toList();
        decisions.removeAll(found);
        return found;
    }

    List<Lsn> confirms() {
        return all(Decision.Confirm.class).stream().map(Decision.Confirm::lsn).toList();
    }

    Failure ended() {
        Failure why = only(Decision.EndSession.class).why();
        decisions.clear();
        return why;
    }

    static CompletionToken token(String life, long count) {
        return new CompletionToken("token-" + count, Optional.of(new CompletionToken.Mark(life, 0, count)));
    }

    static Problem problem() {
        return new Problem("POST", 503, "PipelineInteractionUnreachable", "timeout", SinkFailure.Kind.TRANSIENT);
    }

    static PipelineStats stats(String life) {
        return new PipelineStats(life, true, "Running", false, true, Map.of());
    }
}
