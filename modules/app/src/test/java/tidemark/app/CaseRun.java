package tidemark.app;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tidemark.demo.Proof;
import tidemark.replication.TestPostgres;
import tidemark.standin.Direction;
import tidemark.standin.FaultProxy;
import tidemark.standin.FelderaStandin;
import tidemark.standin.HttpFault;
import tidemark.standin.RequestPattern;
import tidemark.standin.StandinPipeline;

/** One case from its setup to the stop of the service. Owned by one thread, which is also the supervisor. */
final class CaseRun implements AutoCloseable {
    /** Between two looks at what is waited for. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** For what one wait of a case may take if the case does not say. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The most that is waited for what an instance has sent before it ended for good. */
    private static final Duration AFTERMATH = Duration.ofSeconds(3);

    /**
     * More than half of most cases' CPU time is a JVM that starts (3.9 s of it without these, 1.7 s with them): classes
     * parsed once for all cases, and the first compiler only. The program is the shipped one all the same. What the JVM
     * has to say of its archive must not stand in the log that the checks read.
     */
    static final String QUICK_START =
            "-Xlog:disable -XX:TieredStopAtLevel=1 -XX:+AutoCreateSharedArchive -XX:SharedArchiveFile=";

    private final Case plan;
    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, CaseInstance> instances = new LinkedHashMap<>();
    private final Map<String, Integer> noted = new HashMap<>();
    private final StandinPipeline pipeline;
    private final FaultProxy network;
    private final CaseSource source;
    private final Proof proof;
    private final CaseJudge judge;

    /** @param folder of its own: state file and logs stay in it */
    CaseRun(Case plan, CaseSource source, FelderaStandin feldera, Duration requestLimit, Path folder) {
        this.plan = plan;
        this.folder = folder;
        this.source = source;
        String name = folder.getFileName().toString();
        this.pipeline = feldera.deploy(name, CaseFiles.program());
        this.network = FaultProxy.before(URI.create(feldera.url()));
        this.proof = new Proof(source.jdbcUrl(), TestPostgres.USER, feldera.url(), name);
        this.judge = new CaseJudge(plan, source, proof, this::instance, noted);
        environment.putAll(source.environment());
        environment.putAll(Map.of(
                "FELDERA_URL",
                network.url(),
                "FELDERA_PIPELINE",
                name,
                "FELDERA_REQUEST_LIMIT",
                requestLimit.toString(),
                "FELDERA_ACK_MODE",
                "completed",
                "SNAPSHOT_MODE",
                "initial",
                "BATCH_MAX_ROWS",
                "1000",
                "BATCH_LINGER_MS",
                "50",
                "TABLES",
                plan.tablesVariable(),
                "SERVER_PORT",
                "0",
                "JAVA_OPTS",
                QUICK_START + folder.resolveSibling("classes.jsa")));
        environment.putAll(plan.environment());
    }

    CaseJudge.Verdict run() throws InterruptedException {
        source.prepare();
        if (plan.autostart()) {
            instance(CaseInstance.FIRST).start();
            if (plan.settle()) {
                await(
                        "the copy",
                        PATIENCE,
                        () -> (instance(CaseInstance.FIRST).isStreaming() && isSame()) || areOver());
            }
        }
        for (CaseStep step : plan.steps()) take(step);
        CaseJudge.Verdict verdict = verdict();
        if (verdict instanceof CaseJudge.Verdict.Holds) stopAll();
        return verdict;
    }

    private void take(CaseStep step) throws InterruptedException {
        switch (step) {
            case CaseStep.Sql sql -> source.run(sql);
            case CaseStep.Repeat repeat -> source.repeat(repeat);
            case CaseStep.EndRepeat(String name) -> source.endRepeat(name);
            case CaseStep.Join(String name) -> source.join(name);
            case CaseStep.NoteMark(String name) -> source.mark(name);
            case CaseStep.NoteLog(String name) ->
                noted.put(name, instance(CaseInstance.FIRST).log().length());
            case CaseStep.Sleep(Duration time) -> pass(time);
            case CaseStep.Wait wait ->
                await(wait.toString(), wait.timeout().orElse(PATIENCE), condition(wait), () -> isVain(wait));
            case CaseStep.WaitChecks wait ->
                await(
                        wait.toString(),
                        wait.timeout().orElse(PATIENCE),
                        () -> judge.of(wait.checks()) instanceof CaseJudge.Verdict.Holds);
            case CaseStep.WaitSql wait ->
                await(
                        wait.toString(),
                        wait.timeout().orElse(PATIENCE),
                        () -> source.answer(wait.sql()).equals(wait.equals()));
            case CaseStep.WaitCount wait ->
                await(
                        wait.toString(),
                        wait.timeout().orElse(PATIENCE),
                        () -> proof.count(wait.table()) >= wait.atLeast());
            case CaseStep.WaitRequests wait ->
                await(
                        wait.toString(),
                        wait.timeout().orElse(PATIENCE),
                        () -> pipeline.ingressRequests(wait.table()) >= wait.atLeast());
            case CaseStep.Start start -> start(start);
            case CaseStep.Stop stop -> stop(stop);
            case CaseStep.Send(CaseStep.Signal signal, String name) ->
                instance(name).send(signal);
            case CaseStep.RestartWalsender() -> source.restartWalsender();
            case CaseStep.MovePipeline(CaseStep.PipelineMove move) -> {
                switch (move) {
                    case PAUSE -> pipeline.pause();
                    case RESUME -> pipeline.resume();
                    case RESTART -> pipeline.restartEmpty();
                }
            }
            case CaseStep.AlterSystem(var settings) -> source.alter(settings);
            case CaseStep.WithholdCompletions() -> pipeline.holdCompletions();
            case CaseStep.DelayIngress(Duration delay) ->
                network.inject(RequestPattern.ingress("*"), new HttpFault.Latency(Direction.TO_SERVER, delay));
            case CaseStep.ClearFaults() -> clearFaults();
            case CaseStep.Assert(List<CaseCheck> checks) -> {
                if (judge.of(checks) instanceof CaseJudge.Verdict.Fails(String why)) throw new AssertionError(why);
            }
        }
    }

    private void clearFaults() {
        pipeline.releaseCompletions();
        network.clear();
    }

    private BooleanSupplier condition(CaseStep.Wait wait) {
        CaseInstance instance = instance(wait.instance());
        return switch (wait.awaited()) {
            case SAME -> this::isSame;
            case SETTLED -> () -> isSame() || areOver();
            case READY -> instance::isStreaming;
            case NOT_READY -> () -> instance.saysNotReady() || !instance.isAlive();
            case EXIT -> () -> instance.ended().isPresent();
        };
    }

    private boolean isVain(CaseStep.Wait wait) {
        boolean ended = instance(wait.instance()).ended().isPresent();
        return areOver() || (ended && wait.awaited() == CaseStep.Awaited.READY);
    }

    private void start(CaseStep.Start step) {
        CaseInstance instance = instance(step.instance());
        instance.start();
        if (step.untilReady()) {
            await(step.toString(), step.timeout().orElse(PATIENCE), () -> instance.isStreaming() || areOver());
        }
    }

    private void stop(CaseStep.Stop step) throws InterruptedException {
        int code = instance(step.instance()).stop(step.timeout().orElse(PATIENCE));
        if (code != 0 && !step.anyCode()) throw new AssertionError("SIGTERM ended it with " + code);
    }

    /** Tries until they hold, or cannot hold any more, or the case's time is up. */
    private CaseJudge.Verdict verdict() {
        long deadline = System.nanoTime() + plan.timeout().toNanos();
        while (true) {
            boolean last = areOver() || System.nanoTime() > deadline;
            if (areOver()) letSettle();
            CaseJudge.Verdict verdict = judge.of(plan.checks());
            if (last || verdict instanceof CaseJudge.Verdict.Holds) return verdict;
            pass(PAUSE);
        }
    }

    /**
     * What an instance that has ended for good sent last is on its way: its positions to PostgreSQL, rows to Feldera.
     */
    private void letSettle() {
        long deadline = System.nanoTime() + AFTERMATH.toNanos();
        do pass(PAUSE);
        while (System.nanoTime() < deadline && !(source.isSlotFree() && network.connections() == 0));
        pass(PAUSE);
    }

    /** A stop is a drained one unless the case says otherwise. */
    private void stopAll() throws InterruptedException {
        List<String> wrong = new ArrayList<>();
        for (var instance : instances.entrySet()) {
            if (!instance.getValue().isAlive()) continue;
            int code = instance.getValue().stop(PATIENCE);
            if (code != 0 && !plan.anyStop()) wrong.add("SIGTERM ended %s with %d".formatted(instance.getKey(), code));
        }
        if (!wrong.isEmpty()) throw new AssertionError(String.join(", ", wrong));
    }

    private boolean isSame() {
        return judge.differences(List.of()).isEmpty();
    }

    /** Whether nobody runs any more, and nobody will start again. */
    private boolean areOver() {
        return instances.values().stream().noneMatch(CaseInstance::isAlive)
                && instances.values().stream()
                        .anyMatch(instance -> instance.ended().isPresent());
    }

    private CaseInstance instance(String name) {
        return instances.computeIfAbsent(name, _ -> new CaseInstance(name, folder, environment, plan.supervise()));
    }

    private void await(String what, Duration patience, BooleanSupplier condition) {
        await(what, patience, condition, this::areOver);
    }

    private void await(String what, Duration patience, BooleanSupplier condition, BooleanSupplier isVain) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline || isVain.getAsBoolean()) {
                throw new AssertionError("waited in vain for %s: %s".formatted(what, judge.differences(List.of())));
            }
            pass(PAUSE);
        }
    }

    /** Lets time pass, with both eyes open. */
    private void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        do {
            instances.values().forEach(CaseInstance::supervise);
            source.look();
            LockSupport.parkNanos(Math.min(PAUSE.toNanos(), end - System.nanoTime()));
        } while (System.nanoTime() < end);
    }

    /** What the service wrote, for a report of a failure. */
    String lastWords() {
        StringBuilder words = new StringBuilder();
        instances.forEach((name, instance) -> {
            List<String> lines = instance.log().lines().toList();
            words.append("\n--- ").append(name).append('\n');
            lines.subList(Math.max(0, lines.size() - 30), lines.size())
                    .forEach(line -> words.append(line.length() > 400 ? line.substring(0, 400) : line)
                            .append('\n'));
        });
        return words.toString();
    }

    @Override
    public void close() {
        instances.values().forEach(CaseInstance::close);
        network.close();
        pipeline.kill();
        proof.close();
    }
}
