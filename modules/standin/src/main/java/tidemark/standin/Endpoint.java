package tidemark.standin;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One HTTP input endpoint: a queue of chunks in front of the circuit, and its counters (feldera.md 1.3, 13;
 * counters.md). All in units of operations and body bytes.
 *
 * <p>{@code total = buffered + fed}. Fields are guarded by the process's lock; {@link #parser} by itself, so that
 * parsing one body does not stop the pipeline.
 */
final class Endpoint {
    /** Changes that one step takes together. */
    record Chunk(List<Change> changes, int bytes) {}

    /** Feldera keeps at most this many distinct tokens of an endpoint in mind (feldera.md 2). */
    private static final int STEPS_KEPT = 1_000_000;

    private static final int RECORDS_MAX = 100_000;
    private static final long BYTES_MAX = 100_000_000;

    private final int id;
    private final String name;
    private final IngressParameters parameters;
    private final TableContent table;
    private final EventReader events;
    private final ReentrantLock parser = new ReentrantLock();
    private final ArrayDeque<Chunk> queue = new ArrayDeque<>();
    private final TreeMap<Long, Long> stepsByCount = new TreeMap<>();
    private Optional<String> fatalError = Optional.empty();
    private Optional<ParseErrors> lastErrors = Optional.empty();
    private boolean paused;
    private long totalRecords;
    private long totalBytes;
    private long fedRecords;
    private long bufferedBytes;
    private long parseErrors;
    private long transportErrors;

    Endpoint(int id, IngressParameters parameters, TableContent table) {
        this(id, parameters.endpointName(), parameters, table);
    }

    Endpoint(int id, String name, IngressParameters parameters, TableContent table) {
        this.id = id;
        this.name = name;
        this.parameters = parameters;
        this.table = table;
        this.events = table.newReader();
    }

    /** What a checkpoint keeps: operations that steps have taken. What only waits in the queue is lost. */
    record Image(IngressParameters parameters, long records, long bytes) {}

    Endpoint(int id, Image image, TableContent table) {
        this(id, image.parameters(), table);
        totalRecords = image.records();
        fedRecords = image.records();
        totalBytes = image.bytes();
    }

    Image image() {
        return new Image(parameters, fedRecords, totalBytes - bufferedBytes);
    }

    IngressParameters parameters() {
        return parameters;
    }

    int id() {
        return id;
    }

    String name() {
        return name;
    }

    String stream() {
        return table.definition().name().text();
    }

    TableContent table() {
        return table;
    }

    /** Held while a piece of a body is parsed and queued, so that an endpoint's chunks keep one order. */
    ReentrantLock parser() {
        return parser;
    }

    EventReader events() {
        return events;
    }

    void push(Chunk chunk) {
        totalBytes += chunk.bytes();
        if (chunk.changes().isEmpty()) {
            return;
        }
        queue.addLast(chunk);
        totalRecords += chunk.changes().size();
        bufferedBytes += chunk.bytes();
    }

    /** By somebody who asked for just this one; requests wait as if the pipeline was paused. */
    boolean isPaused() {
        return paused;
    }

    void pause(boolean on) {
        paused = on;
    }

    boolean isFull() {
        return bufferedRecords() >= RECORDS_MAX || bufferedBytes >= BYTES_MAX;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Whole chunks for the step, until it has enough: a chunk is never split (feldera.md 1.4). */
    List<Chunk> feed(long step, int enough) {
        var taken = new ArrayList<Chunk>();
        int records = 0;
        while (records < enough && !queue.isEmpty()) {
            Chunk chunk = queue.removeFirst();
            records += chunk.changes().size();
            bufferedBytes -= chunk.bytes();
            taken.add(chunk);
        }
        if (records > 0) {
            fedRecords += records;
            stepsByCount.put(fedRecords, step);
            if (stepsByCount.size() > STEPS_KEPT) {
                stepsByCount.pollFirstEntry();
            }
        }
        return taken;
    }

    /** The step that took the last of the first {@code count} operations; empty while it has not been taken. */
    Optional<Long> stepOf(long count) {
        return Optional.ofNullable(stepsByCount.ceilingEntry(count)).map(Map.Entry::getValue);
    }

    /** A journalled chunk is taken again. */
    void replay(Chunk chunk, long step) {
        totalBytes += chunk.bytes();
        totalRecords += chunk.changes().size();
        fedRecords = totalRecords;
        stepsByCount.put(fedRecords, step);
    }

    void refused(ParseErrors errors) {
        parseErrors += errors.count();
        lastErrors = Optional.of(errors);
    }

    /** Of the last request that had any. */
    Optional<ParseErrors> lastErrors() {
        return lastErrors;
    }

    /** A client that left in the middle of its body: remembered for ever, and harmless (feldera.md 1.5). */
    void abandoned(String error) {
        transportErrors++;
        fatalError = Optional.of(error);
    }

    Optional<String> fatalError() {
        return fatalError;
    }

    long totalRecords() {
        return totalRecords;
    }

    long bufferedRecords() {
        return totalRecords - fedRecords;
    }

    long totalBytes() {
        return totalBytes;
    }

    long bufferedBytes() {
        return bufferedBytes;
    }

    long parseErrors() {
        return parseErrors;
    }

    long transportErrors() {
        return transportErrors;
    }
}
