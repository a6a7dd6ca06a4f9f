package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonValue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * One pipeline as the API server knows it: its program, and the process that runs it, if one does. Compiles at once and
 * starts at once; in the open-source edition every start is empty. Thread safe; its monitor is taken before the lock of
 * a process and never after it.
 */
final class Pipeline {
    /** What the SQL compiler made of the program. */
    sealed interface Compiled {}

    record Good(List<TableDefinition> tables) implements Compiled {}

    record Bad(SqlRefused error) implements Compiled {}

    private final String name;
    private final String id;
    private final Instant created;
    private final Clock clock;
    private final Identities identities;
    private final Edition edition;
    private final Faults faults;
    private final Storage storage = new Storage();
    private final Recordings recordings = new Recordings();
    private FaultTolerance faultTolerance = FaultTolerance.NONE;
    private Duration checkpointInterval = Duration.ofSeconds(60);
    private final Map<String, LongAdder> ingressRequests = new ConcurrentHashMap<>();
    private String code = "";
    private Compiled compiled = new Good(List.of());
    private Deployment deployment;
    private long version;
    private Instant compiledAt;

    Pipeline(String name, StandinSettings settings, Clock clock, Identities identities) {
        this.name = name;
        this.edition = settings.edition();
        this.clock = clock;
        this.identities = identities;
        this.faults = new Faults(settings.stepDelay());
        this.id = identities.next();
        this.created = clock.instant();
        this.compiledAt = created;
        this.deployment = new Deployment.Stopped(created);
    }

    String name() {
        return name;
    }

    Faults faults() {
        return faults;
    }

    Recordings recordings() {
        return recordings;
    }

    synchronized void define(String programCode, FaultTolerance tolerance) {
        if (deployment instanceof Deployment.Deployed) {
            throw new ApiError(
                    400,
                    "UpdateRestrictedToStopped",
                    "Pipeline can only be updated while stopped. Stop it first by invoking '/stop'.");
        }
        faultTolerance = tolerance;
        code = programCode;
        compiled = compile(programCode);
        compiledAt = clock.instant();
        version++;
    }

    /** From the next start on; only with fault tolerance (feldera.md 6). */
    synchronized void checkpointEvery(Duration interval) {
        checkpointInterval = interval;
    }

    private static Compiled compile(String programCode) {
        try {
            return new Good(Program.tables(programCode));
        } catch (SqlRefused refused) {
            return new Bad(refused);
        }
    }

    synchronized void start(String initial) {
        List<TableDefinition> tables = switch (compiled) {
            case Good good -> good.tables();
            case Bad _ ->
                throw new ApiError(
                        400,
                        "StartFailedDueToFailedCompilation",
                        "Not possible to start the pipeline because the program failed to compile");
        };
        switch (deployment) {
            case Deployment.Deployed _ -> {} // a start of what runs is answered as any other
            case Deployment.Stopped _, Deployment.Failed _ -> deployment = deployed(tables, identities.next(), initial);
        }
    }

    /** A process that resumes from what the storage has; in the open-source edition there is nothing. */
    private Deployment.Deployed deployed(List<TableDefinition> tables, String deploymentId, String initial) {
        Instant now = clock.instant();
        if (edition == Edition.OPEN_SOURCE) {
            storage.clear();
        }
        var boot = new Boot(
                tables,
                code,
                identities.next(),
                storage.begun(now),
                now,
                initial.equals("running"),
                edition,
                storage.isSuspended(deploymentId),
                edition == Edition.ENTERPRISE && faultTolerance == FaultTolerance.EXACTLY_ONCE,
                automaticCheckpoints(),
                storage,
                faults,
                recordings,
                identities,
                clock);
        return new Deployment.Deployed(now, deploymentId, initial, new PipelineProcess(boot));
    }

    private Optional<Duration> automaticCheckpoints() {
        return edition == Edition.ENTERPRISE && faultTolerance != FaultTolerance.NONE && checkpointInterval.isPositive()
                ? Optional.of(checkpointInterval)
                : Optional.empty();
    }

    synchronized void stop() {
        killProcess();
        deployment = new Deployment.Stopped(clock.instant());
    }

    /** Stops once a checkpoint is taken; which waits for the end of a transaction. */
    synchronized void suspend() {
        if (edition == Edition.OPEN_SOURCE) {
            throw ApiError.enterpriseFeature("stop?force=false");
        }
        if (deployment instanceof Deployment.Deployed deployed) {
            deployed.process().checkpoint(() -> suspended(deployed));
        }
    }

    private synchronized void suspended(Deployment.Deployed which) {
        if (deployment.equals(which)) {
            stop();
        }
    }

    /** Wipes the storage: the next start is empty. */
    synchronized void clear() {
        if (deployment instanceof Deployment.Deployed) {
            throw new ApiError(
                    400,
                    "StorageStatusImmutableUnlessStopped",
                    "Storage can only be cleared while the pipeline is stopped");
        }
        storage.clear();
    }

    /** Kill -9 of the process: nobody starts it again (feldera.md 16). */
    synchronized void kill() {
        killProcess();
        deployment =
                new Deployment.Failed(clock.instant(), "Pipeline process exited prematurely with signal: 9 (SIGKILL)");
    }

    /** The same, and for a while nobody knows (feldera.md 16: about a second). */
    synchronized void killUnnoticed() {
        killProcess();
    }

    /** Kill -9 and a new process under the same deployment id, as after an automatic restart. */
    synchronized void restart() {
        if (compiled instanceof Good(List<TableDefinition> tables)
                && deployment
                        instanceof Deployment.Deployed(Instant _, String deploymentId, String initial, var process)) {
            process.kill();
            deployment = deployed(tables, deploymentId, initial);
            return;
        }
        throw new IllegalStateException("no process of " + name + " to restart");
    }

    /** Kill -9 and a new process in one move: empty, a new incarnation, the same pipeline. */
    synchronized void restartEmpty() {
        kill();
        storage.clear();
        start("running");
    }

    private void killProcess() {
        if (deployment instanceof Deployment.Deployed deployed) {
            deployed.process().kill();
        }
    }

    /** The running process, or the answer that there is none. */
    synchronized PipelineProcess process() {
        return switch (deployment) {
            case Deployment.Deployed deployed -> deployed.process();
            case Deployment.Stopped _, Deployment.Failed _ -> throw notDeployed();
        };
    }

    private ApiError notDeployed() {
        return new ApiError(
                503,
                "PipelineInteractionNotDeployed",
                "Unable to interact with pipeline because the deployment status (stopped) indicates it is not (yet) fully"
                        + " provisioned pipeline-id=N/A pipeline-name=\"" + name + "\"",
                Json.createObjectBuilder()
                        .add("pipeline_name", name)
                        .add("status", "Stopped")
                        .add("desired_status", "Stopped")
                        .build());
    }

    synchronized String deploymentId() {
        return switch (deployment) {
            case Deployment.Deployed deployed -> deployed.deploymentId();
            case Deployment.Stopped _, Deployment.Failed _ -> throw notDeployed();
        };
    }

    /** Whoever waits in the process looks again. */
    void wake() {
        Optional<PipelineProcess> process;
        synchronized (this) {
            process = deployment instanceof Deployment.Deployed deployed
                    ? Optional.of(deployed.process())
                    : Optional.empty();
        }
        process.ifPresent(PipelineProcess::faultsChanged);
    }

    void countIngressRequest(String table) {
        ingressRequests.computeIfAbsent(table, _ -> new LongAdder()).increment();
    }

    long ingressRequests(String table) {
        return Optional.ofNullable(ingressRequests.get(table))
                .map(LongAdder::sum)
                .orElse(0L);
    }

    synchronized JsonValue descriptor(boolean statusOnly) {
        return new DescriptorJson(
                        id, name, created, code, version, compiled, compiledAt, deployment, faultTolerance, storage)
                .json(statusOnly);
    }
}
