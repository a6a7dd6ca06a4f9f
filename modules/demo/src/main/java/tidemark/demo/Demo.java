package tidemark.demo;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tidemark.decode.Lsn;
import tidemark.delivery.ExitCode;

/**
 * The main job, whole and real: two servers, the service between them, rows written all the while, a kill in the
 * middle, and at the end every row of both sides held against the other.
 *
 * <p>Owned by the main thread. Everything it starts belongs to {@link Teardown}.
 */
final class Demo {
    /** Of the stand-in and of the service alike. Feldera's own is 30 s, and a killed service has to wait it out. */
    private static final Duration STANDIN_REQUEST_LIMIT = Duration.ofSeconds(2);

    private static final Duration SERVICE_START_LIMIT = Duration.ofSeconds(90);
    /** Without any progress; a killed service in front of a real Feldera waits 30 s before it does anything. */
    private static final Duration SETTLE_LIMIT = Duration.ofMinutes(2);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Arguments arguments;
    private final Map<String, String> environment;
    private final Teardown teardown;
    private final View view;
    private final Progress progress = new Progress();

    Demo(Arguments arguments, Map<String, String> environment, Teardown teardown, View view) {
        this.arguments = arguments;
        this.environment = environment;
        this.teardown = teardown;
        this.view = view;
    }

    /** Returns after the proof; what prevents a proof is thrown. */
    ExitCode run() {
        view.say("preparing PostgreSQL and Feldera …");
        SourceSide source = teardown.start(this::source);
        source.prepare();
        Map<String, String> configuration = new TreeMap<>(source.configuration());
        Pipeline pipeline = teardown.start(() -> pipeline(configuration));
        pipeline.ensureRunning(DemoTables.FELDERA);

        view.say("starting the service …");
        TidemarkProcess service = teardown.start(
                () -> TidemarkProcess.start(arguments.distribution(), teardown.directory(), configuration));
        awaitFirstStatus(service);
        follow(source, service);
        String written = source.stopWriting();
        TidemarkStatus settled = settle(source, service);
        view.leave();
        view.say("\n" + written);
        List<TableProof> proofs = prove(source.database(), pipeline, settled.tables());
        boolean found = verifyFindsSomething(service);
        service.stop();
        return proofs.stream().allMatch(TableProof::isEqual) && !found ? ExitCode.DRAINED : ExitCode.DIFFERENT;
    }

    /** The product's own comparison, which shares nothing with the proof. */
    private boolean verifyFindsSomething(TidemarkProcess service) {
        ExitCode code = service.verify();
        view.say("  tidemark verify, asked of the running service: "
                + switch (code) {
                    case DRAINED -> "equal";
                    case DIFFERENT -> "DIFFERENT";
                    default -> "could not compare now";
                });
        return code == ExitCode.DIFFERENT;
    }

    private SourceSide source() {
        return switch (arguments.source()) {
            case Arguments.Source.Embedded() ->
                OwnSource.start(
                        teardown.directory(),
                        new Workload(new SplittableRandom(arguments.seed()), Workload.Size.DEMO),
                        arguments.changesPerSecond());
            case Arguments.Source.Given(String url, String tables, String publication) ->
                new GivenSource(
                        SourceDatabase.of(url, environment),
                        "tidemark_demo_" + HexFormat.of().toHexDigits(System.nanoTime()),
                        publication,
                        tables);
        };
    }

    private Pipeline pipeline(Map<String, String> configuration) {
        record Address(URI url, String pipeline) {}
        Address address = switch (arguments.destination()) {
            case Arguments.Destination.Standin() -> {
                configuration.put("FELDERA_REQUEST_LIMIT", STANDIN_REQUEST_LIMIT.toString());
                URI url = teardown.start(() -> StandinProcess.start(teardown.directory(), STANDIN_REQUEST_LIMIT))
                        .url();
                yield new Address(url, "demo");
            }
            case Arguments.Destination.Given(URI url, String pipeline) -> new Address(url, pipeline);
        };
        configuration.put("FELDERA_URL", address.url().toString());
        configuration.put("FELDERA_PIPELINE", address.pipeline());
        return new Pipeline(address.url(), address.pipeline(), environment.getOrDefault("FELDERA_API_KEY", ""));
    }

    private void awaitFirstStatus(TidemarkProcess service) {
        long deadline = System.nanoTime() + SERVICE_START_LIMIT.toNanos();
        while (service.status().isEmpty()) {
            pause();
            if (System.nanoTime() > deadline) {
                throw new DemoFailure(
                        ExitCode.UNREACHABLE, "the service does not answer. Its last words:\n" + service.lastWords());
            }
        }
    }

    /** The time of the workload: the large transaction at two fifths, the kill at the half, while it is on its way. */
    private void follow(SourceSide source, TidemarkProcess service) {
        Duration total = arguments.workloadFor();
        Duration bigAt = total.multipliedBy(2).dividedBy(5);
        Duration killAt = total.dividedBy(2);
        boolean bigDue = true;
        boolean killDue = arguments.kills();
        source.startWriting();
        long began = System.nanoTime();
        for (Duration elapsed = Duration.ZERO; elapsed.compareTo(total) < 0; elapsed = since(began)) {
            source.requireHealthy();
            if (bigDue && elapsed.compareTo(bigAt) >= 0) {
                source.writeBigTransaction();
                bigDue = false;
            }
            if (killDue && elapsed.compareTo(killAt) >= 0) {
                view.say("killing the service (SIGKILL) and starting it again");
                service.killAndRestart();
                progress.lifeEnded();
                killDue = false;
            }
            look(service, elapsed);
            pause();
        }
    }

    /** Until everything that was committed before now is delivered, completed, and confirmed to PostgreSQL. */
    private TidemarkStatus settle(SourceSide source, TidemarkProcess service) {
        Lsn target = source.database().walEnd();
        view.say("no more is written; settling at " + target);
        long began = System.nanoTime();
        long progressed = began;
        Lsn confirmed = Lsn.ZERO;
        long delivered = 0;
        while (true) {
            Optional<TidemarkStatus> status =
                    look(service, arguments.workloadFor().plus(since(began)));
            Lsn flushed = source.database().confirmedFlush(source.slot()).orElse(Lsn.ZERO);
            if (status.isPresent() && status.get().isSettledAt(target) && !target.isAfter(flushed)) return status.get();
            long deliveredNow = status.map(TidemarkStatus::deliveredRows).orElse(delivered);
            if (flushed.isAfter(confirmed) || deliveredNow != delivered) progressed = System.nanoTime();
            confirmed = flushed;
            delivered = deliveredNow;
            if (since(progressed).compareTo(SETTLE_LIMIT) > 0) {
                throw new DemoFailure(
                        ExitCode.UNREACHABLE,
                        "nothing moves any more, but %s of %s is confirmed. The service's last words:%n%s"
                                .formatted(confirmed, target, service.lastWords()));
            }
            pause();
        }
    }

    private Optional<TidemarkStatus> look(TidemarkProcess service, Duration elapsed) {
        Optional<TidemarkStatus> status = service.status();
        status.ifPresent(seen -> progress.observe(seen, System.nanoTime()));
        view.show(progress.picture(elapsed, arguments.workloadFor()));
        return status;
    }

    private List<TableProof> prove(SourceDatabase database, Pipeline pipeline, List<TidemarkStatus.Table> tables) {
        view.say("\ncomparing every row of both sides, in key order, value by value");
        long began = System.nanoTime();
        List<TableProof> proofs = new ArrayList<>();
        for (TidemarkStatus.Table table : tables) {
            int dot = table.postgres().indexOf('.');
            ComparedTable compared = ComparedTable.of(
                    table.postgres(),
                    database.columns(
                            table.postgres().substring(0, dot), table.postgres().substring(dot + 1)),
                    pipeline.table(table.feldera()));
            try (PostgresRows source = new PostgresRows(database, compared);
                    FelderaRows destination = new FelderaRows(pipeline, compared)) {
                TableProof proof = TableProof.of(compared, source, destination);
                proofs.add(proof);
                Report.of(proof).forEach(view::say);
            }
        }
        Picture last = progress.picture(arguments.workloadFor(), arguments.workloadFor());
        Report.of(proofs, last, progress.peakRowsPerSecond(), since(began)).forEach(view::say);
        return proofs;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static void pause() {
        LockSupport.parkNanos(LOOK_NANOS);
    }
}
