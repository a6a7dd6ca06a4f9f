package tidemark.delivery;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaTable;
import tidemark.sink.IngressReply;
import tidemark.sink.PipelineStats;
import tidemark.sink.PipelineStatus;
import tidemark.sink.Problem;
import tidemark.sink.QueryRows;
import tidemark.sink.SinkFailure;
import tidemark.sink.TableBody;

/**
 * A Feldera pipeline behind its API server, as feldera.md and counters.md tell: lives, endpoints that count, requests
 * that nobody withdraws. The questions of {@link Destination} are answered at once; what a POST meets on its way is up
 * to {@link SimWorkers}, which calls {@link #arrived}.
 */
final class SimPipeline implements Destination {
    /** How long a request that a pause held up may still be on its way once the pipeline runs again. */
    private static final long UNBLOCKING = SimTime.SECOND;

    /** What somebody else posts: a key that no table of ours ever has. */
    static final SimBody.Operation STRANGER =
            new SimBody.Operation.Insert(Long.MAX_VALUE, new SimTable.Row("stranger", SimTable.NULL, SimTable.NULL));

    private enum State {
        RUNNING,
        PAUSED,
        /** The process is dead; {@link #noticed} says whether the API server knows. */
        DOWN,
        INITIALIZING
    }

    private record Blocked(FelderaName table, List<SimBody.Operation> operations, Consumer<IngressReply> reply) {}

    /** One life, kept for what is asked about it later. */
    private record Life(String incarnation, boolean fresh, Map<FelderaName, SimEndpoint> endpoints) {}

    private final SimWorld world;
    private final List<SimTable> tables;
    private final Map<String, Life> lives = new HashMap<>();
    private final Map<FelderaName, Integer> queries = new HashMap<>();
    private final ArrayDeque<Blocked> blocked = new ArrayDeque<>();
    private Life life;
    private Life checkpoint;
    private State state = State.RUNNING;
    private boolean noticed;
    private boolean foreignTransaction;
    private long stuckUntil;

    SimPipeline(SimWorld world, List<SimTable> tables) {
        this.world = world;
        this.tables = tables;
        this.life = begin(true, Optional.empty());
        this.checkpoint = life;
    }

    private Life begin(boolean fresh, Optional<Life> from) {
        Map<FelderaName, SimEndpoint> endpoints = new LinkedHashMap<>();
        from.ifPresent(old -> old.endpoints.forEach((name, was) -> endpoints.put(name, SimEndpoint.restored(was))));
        var begun = new Life("life-" + (lives.size() + 1), fresh, endpoints);
        lives.put(begun.incarnation, begun);
        return begun;
    }

    // ---- what others do to it

    void kill(long downFor, boolean resumes) {
        if (state == State.DOWN) return;
        world.say("F %s killed", life.incarnation);
        state = State.DOWN;
        noticed = world.chance(0.5);
        blocked.clear();
        foreignTransaction = false;
        stuckUntil = 0;
        world.time.in(downFor / 2, () -> noticed = true);
        world.time.in(downFor, () -> up(resumes));
    }

    private void up(boolean resumes) {
        state = world.mischief(0.3) ? State.INITIALIZING : State.RUNNING;
        life = begin(!resumes, resumes ? Optional.of(checkpoint) : Optional.empty());
        world.say("F up as %s %s", life.incarnation, resumes ? "resumed" : "fresh");
        if (state == State.INITIALIZING) {
            world.time.in(world.between(0, 3 * SimTime.SECOND), () -> {
                if (state == State.INITIALIZING) state = State.RUNNING;
            });
        }
    }

    void checkpoint() {
        Map<FelderaName, SimEndpoint> endpoints = new LinkedHashMap<>();
        life.endpoints.forEach((name, was) -> endpoints.put(name, SimEndpoint.restored(was)));
        checkpoint = new Life(life.incarnation, false, endpoints);
    }

    void pause(long nanos) {
        if (state != State.RUNNING) return;
        world.say("F paused for %d ms", nanos / SimTime.MILLI);
        state = State.PAUSED;
        world.time.in(nanos, this::resume);
    }

    private void resume() {
        if (state != State.PAUSED) return;
        world.say("F resumed, %d requests blocked", blocked.size());
        state = State.RUNNING;
        Life resumed = life;
        while (!blocked.isEmpty()) {
            Blocked request = blocked.remove();
            world.time.in(world.between(0, UNBLOCKING), () -> {
                if (isCurrent(resumed)) enters(request);
            });
        }
    }

    void stickFor(long nanos) {
        world.say("F completes nothing for %d ms", nanos / SimTime.MILLI);
        stuckUntil = world.time.now() + nanos;
    }

    void openForeignTransaction(long nanos) {
        if (state != State.RUNNING) return;
        world.say("F transaction of somebody else for %d ms", nanos / SimTime.MILLI);
        foreignTransaction = true;
        world.time.in(nanos, () -> foreignTransaction = false);
    }

    /** Somebody else posts a row that PostgreSQL does not have, through our endpoint. */
    void visit(SimTable table) {
        world.say("F somebody else posts to %s", table.feldera);
        take(table.feldera, List.of(STRANGER));
    }

    boolean isUntroubled() {
        return state == State.RUNNING && !foreignTransaction && world.time.now() >= stuckUntil && blocked.isEmpty();
    }

    // ---- requests

    /** A request has reached the API server, and goes wherever the pipeline is now. */
    void arrived(FelderaName table, List<SimBody.Operation> operations, Consumer<IngressReply> reply) {
        enters(new Blocked(table, operations, reply));
    }

    private void enters(Blocked request) {
        switch (state) {
            case DOWN -> {
                if (noticed) request.reply.accept(new IngressReply.NotNow(problem("post", 503)));
                else request.reply.accept(new IngressReply.Unknown(problem("post", 503)));
            }
            case INITIALIZING -> request.reply.accept(new IngressReply.NotNow(problem("post", 503)));
            case PAUSED -> {
                world.say("F blocks a request for %s", request.table);
                blocked.add(request);
            }
            case RUNNING -> request.reply.accept(new IngressReply.Accepted(take(request.table, request.operations)));
        }
    }

    private CompletionToken take(FelderaName table, List<SimBody.Operation> operations) {
        SimEndpoint endpoint = life.endpoints.computeIfAbsent(table, _ -> new SimEndpoint(isKeyless(table)));
        long count = endpoint.take(operations);
        if (!operations.isEmpty()) {
            world.say("F %s %s takes %s count=%d", life.incarnation, table, operations, count);
            world.passed(SimPoint.POST_TAKEN);
        }
        Life taker = life;
        long delay = world.mischief(0.03) ? world.between(SimTime.SECOND, 20 * SimTime.SECOND) : world.shortly();
        world.time.at(endpoint.completesAt(world.time.now() + delay), () -> complete(taker, endpoint, count));
        String text = "%s %s %d".formatted(life.incarnation, table, count);
        return new CompletionToken(
                text, Optional.of(new CompletionToken.Mark(life.incarnation, table.hashCode(), count)));
    }

    private boolean isKeyless(FelderaName table) {
        return tables.stream().anyMatch(of -> of.keyless && of.feldera.equals(table));
    }

    private void complete(Life taker, SimEndpoint endpoint, long count) {
        if (!isCurrent(taker) || state == State.DOWN) return;
        if (state != State.RUNNING || foreignTransaction || world.time.now() < stuckUntil) {
            world.time.in(200 * SimTime.MILLI, () -> complete(taker, endpoint, count));
            return;
        }
        endpoint.complete(count);
    }

    private boolean isCurrent(Life asked) {
        return life.incarnation.equals(asked.incarnation);
    }

    static Problem problem(String attempted, int status) {
        return new Problem(attempted, status, "", "", SinkFailure.Kind.TRANSIENT);
    }

    private void requireAnswers(String question) {
        if (state == State.DOWN || world.mischief(0.003)) throw new SinkFailure(problem(question, 503));
    }

    @Override
    public String address() {
        return "http://feldera/v0/pipelines/p";
    }

    @Override
    public PipelineStatus pipeline() {
        String status = state == State.DOWN && noticed ? "Stopped" : "Running"; // it lags behind the process
        return new PipelineStatus("Success", status, "0");
    }

    @Override
    public List<FelderaTable> tables() {
        return tables.stream().map(SimTable::declared).toList();
    }

    /** Only of empty arrays, before a session streams: they have no effect that could come late. */
    @Override
    public IngressReply post(TableBody body) {
        if (!SimBody.read(body.bytes(), body.length()).isEmpty()) throw new SimViolation("rows before streaming");
        return switch (state) {
            case DOWN, INITIALIZING -> new IngressReply.NotNow(problem("post", 503));
            case PAUSED -> new IngressReply.Unknown(problem("post", 503));
            case RUNNING -> new IngressReply.Accepted(take(body.table(), List.of()));
        };
    }

    @Override
    public Completion completion(CompletionToken token) {
        requireAnswers("completion");
        CompletionToken.Mark mark = token.mark().orElseThrow();
        if (!mark.incarnation().equals(life.incarnation)) return new Completion.Voided();
        SimEndpoint endpoint = life.endpoints.entrySet().stream()
                .filter(of -> of.getKey().hashCode() == mark.endpoint())
                .findFirst()
                .orElseThrow()
                .getValue();
        if (!endpoint.isComplete(mark.count())) return new Completion.InProgress(false);
        world.passed(SimPoint.COMPLETED);
        return new Completion.Complete();
    }

    @Override
    public PipelineStats stats() {
        requireAnswers("stats");
        Map<String, Long> operations = new HashMap<>();
        life.endpoints.forEach((name, endpoint) -> operations.put(name.spelling() + ".api-ingress", endpoint.taken()));
        boolean settled =
                state == State.RUNNING && life.endpoints.values().stream().allMatch(SimEndpoint::isSettled);
        String word = switch (state) {
            case RUNNING, DOWN -> "Running";
            case PAUSED -> "Paused";
            case INITIALIZING -> "Initializing";
        };
        return new PipelineStats(life.incarnation, life.fresh, word, foreignTransaction, settled, operations);
    }

    /**
     * Of keys, as a {@link RetractedTable} asks for them, or of all columns, as a {@link ComparedTable} does: what is
     * complete now, whatever comes while it is read.
     */
    @Override
    public QueryRows query(String sql, QueryRows.Limits limits) {
        requireAnswers("query");
        boolean whole =
                sql.startsWith("select \"id\", \"v\", \"big\", \"extra\", cast(null as bigint) as \"row count\" from ");
        boolean keys = sql.startsWith("select \"id\", cast(null as bigint) as \"row count\" from ");
        if (!whole && !keys) throw new SimViolation(sql);
        if (state == State.INITIALIZING) throw new SinkFailure(problem("query", 503));
        SimTable table = tables.stream()
                .filter(of -> sql.contains(" from \"%s\" ".formatted(of.feldera.text())))
                .findFirst()
                .orElseThrow(() -> new SimViolation("asks " + sql));
        List<String> rows = new TreeMap<>(completedNow(table))
                .entrySet().stream()
                        .flatMap(row -> Collections.nCopies(weight(table, row.getKey()), row).stream())
                        .map(row -> whole ? SimTable.answered(row.getKey(), row.getValue()) : "\"id\":" + row.getKey())
                        .toList();
        world.say("F asked for the %d rows of %s", rows.size(), table.feldera);
        queries.merge(table.feldera, 1, Integer::sum);
        world.passed(SimPoint.QUERIED);
        Life asked = life;
        return new SimAnswer(
                world,
                rows,
                whole ? SimTable.NOTHING : "\"id\":null",
                table.keyless,
                () -> isCurrent(asked) && state != State.DOWN);
    }

    // ---- what the invariants ask

    /** What is complete in that life; of an earlier one, what was when it ended. */
    Map<Long, SimTable.Row> completed(String incarnation, SimTable table) {
        Life asked = lives.get(incarnation);
        SimEndpoint endpoint = asked == null ? null : asked.endpoints.get(table.feldera);
        return endpoint == null ? Map.of() : endpoint.completedRows();
    }

    Map<Long, SimTable.Row> completedNow(SimTable table) {
        return completed(life.incarnation, table);
    }

    /** How often the row is there, in the life that runs. */
    int weight(SimTable table, long key) {
        SimEndpoint endpoint = life.endpoints.get(table.feldera);
        return endpoint == null ? 0 : endpoint.weight(key);
    }

    String incarnation() {
        return life.incarnation;
    }

    /** How often it was asked for the rows of a table, in all lives. */
    int queries(FelderaName table) {
        return queries.getOrDefault(table, 0);
    }

    boolean isSettled() {
        return life.endpoints.values().stream().allMatch(SimEndpoint::isSettled);
    }
}
