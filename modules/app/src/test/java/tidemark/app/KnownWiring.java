package tidemark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Specializes;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.config.Config;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.CancelReply;
import tidemark.delivery.ConnectorStatus;
import tidemark.delivery.DriftKind;
import tidemark.delivery.ExitCode;
import tidemark.delivery.NulledValues;
import tidemark.delivery.ResyncReply;

/** The real wiring, except that nothing is started and the status is the test's. */
@ApplicationScoped
@Specializes
class KnownWiring extends Wiring {
    private volatile ConnectorStatus status = streaming();
    private volatile ResyncReply resync = new ResyncReply.Accepted();
    private volatile CancelReply cancel = new CancelReply.Cancelled();
    private volatile CompletableFuture<ExitCode> end = new CompletableFuture<>();

    @Inject
    KnownWiring(Config config, FelderaQuestions questions) {
        super(config, questions);
    }

    @Override
    void started(Object event, BeanManager beans) {}

    @Override
    ConnectorStatus status() {
        return status;
    }

    @Override
    ResyncReply resync(RelationName table) {
        return resync;
    }

    @Override
    CancelReply cancelResync(RelationName table) {
        return cancel;
    }

    void answers(ResyncReply reply) {
        resync = reply;
    }

    void answers(CancelReply reply) {
        cancel = reply;
    }

    @Override
    DeliveryRun run() {
        var run = new DeliveryRun(end::join, () -> {}, Duration.ofSeconds(5));
        if (end.isDone()) {
            run.start();
            run.await();
        }
        return run;
    }

    void is(ConnectorStatus status) {
        this.status = status;
    }

    void endsWith(ExitCode code) {
        end.complete(code);
    }

    void isAlive() {
        end = new CompletableFuture<>();
    }

    static ConnectorStatus streaming() {
        return status("streaming", true, Optional.empty(), Optional.empty());
    }

    static ConnectorStatus backingOff() {
        return status("backing-off", false, Optional.of("the next attempt"), Optional.of("connection refused"));
    }

    private static ConnectorStatus.Drift drift() {
        return new ConnectorStatus.Drift(
                DriftKind.PARTITIONS, "public.users -> users: attached p", "read it again", Instant.EPOCH);
    }

    private static ConnectorStatus status(
            String phase, boolean ready, Optional<String> waitingFor, Optional<String> failure) {
        return new ConnectorStatus(
                phase,
                Instant.parse("2026-11-29T12:00:00Z"),
                waitingFor,
                ready,
                3,
                Lsn.parse("16/B374DC30"),
                Lsn.parse("16/B374D848"),
                Lsn.parse("16/B374D848"),
                Lsn.parse("16/B374DC30"),
                4000,
                1000,
                Optional.of(Instant.EPOCH),
                21,
                19,
                2,
                99,
                failure,
                Optional.empty(),
                Optional.empty(),
                List.of(new ConnectorStatus.Table(
                        "public.users",
                        "users",
                        "streaming",
                        10,
                        10,
                        11,
                        12,
                        13,
                        2,
                        15,
                        14,
                        List.of(drift()),
                        Optional.empty())),
                List.of(new NulledValues.Count("public.users", "born", 5)));
    }
}
