package tidemark.delivery;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.sink.FelderaName;

/**
 * What must always hold (design §1), asked after every step that could break it. Knows everything that the process
 * cannot know.
 */
final class SimPromises {
    /** {@code batch.max-rows} of every run; a change of a key is two operations, and may be one too many. */
    static final int MAX_ROWS = 6;

    private static final long LONGEST_SILENCE = SimTime.SECOND;

    private final SimWorld world;
    private final SimPostgres postgres;
    private final SimPipeline pipeline;
    private final SimDisk disk;
    private final boolean neverCopies;
    /** What was not changed since then may be missing. */
    private Lsn streamsFrom = Lsn.ZERO;

    /** Operations that were read and not sent. */
    private final Map<FelderaName, Integer> unsent = new HashMap<>();
    /** The last step that was read is a TRUNCATE. */
    private boolean emptied;

    private long stoodStillUntil;
    private boolean somethingLost;
    private boolean visited;
    private int comparisons;
    /** Tables that are left out of the stream, and how often Feldera had been asked for their rows by then. */
    private final Map<FelderaName, Integer> leftOut = new HashMap<>();
    /** Somebody was told so in this session. */
    private final Set<FelderaName> cancelled = new HashSet<>();

    private boolean stops;
    /** Positions of snapshots. */
    private final Set<Lsn> images = new HashSet<>();
    /** By table: the newest commit of which this session read changes that it needed. */
    private final Map<SimTable, Lsn> lastRead = new HashMap<>();

    /** @param neverCopies {@code snapshot.mode=never}: only what is changed while it streams must arrive */
    SimPromises(SimWorld world, SimPostgres postgres, SimPipeline pipeline, SimDisk disk, boolean neverCopies) {
        this.neverCopies = neverCopies;
        this.world = world;
        this.postgres = postgres;
        this.pipeline = pipeline;
        this.disk = disk;
    }

    /**
     * 1.1: in the life that the session counts with, every row is complete as it was at that position or later. 1.7:
     * the position is a boundary. R1: the mark is durable.
     */
    void confirms(Lsn position) {
        world.require(postgres.isBoundary(position), "confirms %s, where no transaction ends", position);
        Optional<ReplicationState> state = disk.content();
        if (state.isEmpty() || position.isAfter(state.get().confirmed())) {
            world.violated("confirms %s before the mark is durable", position);
            return;
        }
        String life = state.get().target().incarnation();
        for (SimTable table : postgres.tables) {
            Map<Long, SimTable.Row> ours = new TreeMap<>(pipeline.completed(life, table));
            ours.remove(SimPipeline.STRANGER.key()); // what others add is no reason to hold the slot
            table.behind(ours, streamsFrom, position)
                    .ifPresent(what -> world.violated("confirms %s, but in %s %s", position, life, what));
        }
    }

    /** Another session: what it merges it merges before it streams. */
    void begins() {
        cancelled.clear();
        leftOut.clear();
    }

    void streams() {
        unsent.clear();
        lastRead.clear();
        stops = false;
    }

    void reads(SimWal.Step step, Lsn commitLsn) {
        if (emptied) unsent.clear(); // what came before a TRUNCATE was sent, or need not be
        emptied = step instanceof SimWal.Emptied(List<SimTable> tables)
                && tables.stream().anyMatch(table -> needs(table, commitLsn));
        if (step instanceof SimWal.Change change) reads(change, commitLsn);
    }

    private boolean needs(SimTable table, Lsn commitLsn) {
        return disk.content()
                .flatMap(state -> state.table(table.postgres))
                .filter(stands -> !stands.position().isAfter(commitLsn))
                .filter(stands -> stands.stand() == ReplicationState.Stand.COPIED
                        || stands.stand() == ReplicationState.Stand.UNKNOWN)
                .isPresent();
    }

    /** 1.4: what was read and not sent fits into the open batch and the one being sent. */
    private void reads(SimWal.Change change, Lsn commitLsn) {
        if (!needs(change.table(), commitLsn)) return;
        if (!stops) lastRead.put(change.table(), commitLsn);
        if (change.table().deferrable || keyMayBeNewer(change.table(), commitLsn)) return;
        unsent.merge(change.table().feldera, change.operations(), Integer::sum);
        int all = unsent.values().stream().mapToInt(Integer::intValue).sum();
        world.require(all <= 2 * (MAX_ROWS + 1), "%d operations were read and not sent", all);
    }

    /**
     * Then what it becomes is sent when the transaction ends, as a deferrable table's is; whole rows do not show a key.
     */
    private boolean keyMayBeNewer(SimTable table, Lsn commitLsn) {
        return table.identity == ReplicaIdentity.FULL
                && disk.content()
                        .flatMap(state -> state.table(table.postgres))
                        .flatMap(ReplicationState.Table::edition)
                        .flatMap(read -> read.knownFrom(SimTable.KEY_MARK))
                        .filter(from -> !commitLsn.isAfter(from))
                        .isPresent();
    }

    void posts(FelderaName table, int operations) {
        unsent.computeIfPresent(table, (_, read) -> Math.max(0, read - operations)); // differences were not read
        world.require(operations <= MAX_ROWS + 1, "%d operations in one POST for %s", operations, table);
        boolean asked = leftOut.containsKey(table) && pipeline.queries(table) > leftOut.get(table);
        if (operations == 0 || !asked) return;
        boolean merging = disk.content().stream()
                .flatMap(state -> state.tables().stream())
                .anyMatch(of -> of.feldera().equals(table) && of.stand() == ReplicationState.Stand.MERGING);
        world.require(merging, "differences of %s are sent before it is MERGING on disk", table);
        world.require(!cancelled.contains(table), "differences of %s are sent, and it was cancelled", table);
    }

    /** What was compared beside the stream was the same, if nobody else had written to it. */
    void compared(TableFindings found) {
        world.say("compared %s: %s", found.table(), found.counted());
        comparisons++;
        world.require(visited || neverCopies || found.areNone(), "a comparison found %s", found.lines());
    }

    /** How many comparisons came to their end. */
    int comparisons() {
        return comparisons;
    }

    /** The table is to be read again, whatever was said before. */
    void askedFor(SimTable table) {
        cancelled.remove(table.feldera);
    }

    /** The table is to stay as it is. */
    void cancelled(SimTable table) {
        cancelled.add(table.feldera);
    }

    /** Somebody else has posted. */
    void visited() {
        visited = true;
    }

    /** Tables may have to be merged from now on. */
    void lost() {
        somethingLost = true;
    }

    /** Parts of a transaction that is not read to its end come again, as ever. */
    void stops() {
        lastRead.clear();
        stops = true;
    }

    void images(Lsn position) {
        images.add(position);
    }

    void stoodStill() {
        stoodStillUntil = world.time.now();
    }

    /** 1.5: the status replies wait for nothing. */
    void beats(long before, long now) {
        boolean frozen = before <= stoodStillUntil;
        world.require(
                frozen || now - before < LONGEST_SILENCE, "no status reply for %d ms", (now - before) / SimTime.MILLI);
    }

    /** R1: within one life no mark goes back, and no table that was read is read again without a cause. */
    void writes(Optional<ReplicationState> before, ReplicationState after) {
        if (world.isTraced()) world.say("writes %s", told(after));
        boolean newLife =
                before.filter(of -> of.target().equals(after.target())).isEmpty();
        if (newLife) leftOut.clear();
        if (newLife && neverCopies) streamsFrom = after.confirmed();
        if (before.isEmpty() || !before.get().target().equals(after.target())) return;
        world.require(
                !before.get().confirmed().isAfter(after.confirmed()),
                "the mark goes back from %s to %s",
                before.get().confirmed(),
                after.confirmed());
        for (ReplicationState.Table was : before.get().tables()) {
            boolean lost = was.stand() == ReplicationState.Stand.COPIED
                    && after.table(was.postgres())
                            .filter(is -> is.stand() == ReplicationState.Stand.PENDING)
                            .isPresent();
            world.require(!lost || somethingLost, "table %s is to be read again without a cause", was.postgres());
            Optional<ReplicationState.Stand> becomes =
                    after.table(was.postgres()).map(ReplicationState.Table::stand);
            boolean merging = becomes.equals(Optional.of(ReplicationState.Stand.MERGING));
            if (becomes.equals(Optional.of(ReplicationState.Stand.LEFT_OUT))) {
                leftOut.putIfAbsent(was.feldera(), pipeline.queries(was.feldera()));
            } else if (!merging) {
                leftOut.remove(was.feldera());
            }
            boolean notCopiedOver = postgres.tables.stream()
                    .filter(of -> of.postgres.equals(was.postgres()))
                    .anyMatch(of -> of.keyless || of.mayHaveDrifted()); // a broken copy is merged
            world.require(
                    !merging || notCopiedOver || somethingLost || isReadAgain(was.stand()),
                    "table %s is merged without a cause",
                    was.postgres());
            if (was.stand() == ReplicationState.Stand.MERGING || was.stand() == ReplicationState.Stand.LEFT_OUT) {
                merged(after, was);
            }
        }
    }

    /** What is left out may be merged, and goes on to be. */
    private static boolean isReadAgain(ReplicationState.Stand stand) {
        return stand == ReplicationState.Stand.LEFT_OUT || stand == ReplicationState.Stand.MERGING;
    }

    /**
     * Once it was merged a table is exactly what the snapshot shows; if it was given up, what it was. The others stand
     * behind all that was read for them: nothing of it comes again.
     */
    private void merged(ReplicationState state, ReplicationState.Table was) {
        RelationName name = was.postgres();
        ReplicationState.Table stands = state.table(name).orElseThrow();
        if (stands.stand() != ReplicationState.Stand.COPIED) return;
        SimTable table = postgres.tables.stream()
                .filter(of -> of.postgres.equals(name))
                .findFirst()
                .orElseThrow();
        Map<Long, SimTable.Row> ours =
                new TreeMap<>(pipeline.completed(state.target().incarnation(), table));
        ours.remove(SimPipeline.STRANGER.key());
        boolean read = images.contains(stands.position()) && !stands.position().equals(was.position());
        Optional<String> wrong = read
                ? Optional.of("it is " + ours).filter(_ -> !ours.equals(table.at(stands.position())))
                : table.behind(ours, Lsn.ZERO, stands.position());
        wrong.ifPresent(what -> world.violated("table %s was merged at %s, but %s", name, stands.position(), what));
        lastRead.forEach((other, commit) -> {
            boolean comesAgain = other != table
                    && state.table(other.postgres)
                            .filter(of -> !of.position().isAfter(commit))
                            .isPresent();
            world.require(
                    !comesAgain,
                    "table %s has the transaction that commits at %s, and gets it again",
                    other.postgres,
                    commit);
        });
    }

    private static String told(ReplicationState state) {
        return state.tables().stream()
                .map(table -> "%s=%s@%s#%d".formatted(table.feldera(), table.stand(), table.position(), table.count()))
                .collect(Collectors.joining(
                        " ",
                        "confirmed=%s life=%s "
                                .formatted(state.confirmed(), state.target().incarnation()),
                        ""));
    }

    /** 1.2, and the last position has reached PostgreSQL. */
    Optional<String> unsettled() {
        for (SimTable table : postgres.tables) {
            Map<Long, SimTable.Row> there = pipeline.completedNow(table);
            if (neverCopies
                    ? !table.isComplete(there, streamsFrom)
                    : !table.rows().equals(there)) {
                return Optional.of("%s is %s in PostgreSQL and %s in Feldera"
                        .formatted(table.postgres, table.rows(), pipeline.completedNow(table)));
            }
            for (long key : there.keySet()) {
                int weight = pipeline.weight(table, key);
                if (weight != 1) return Optional.of("%s has id=%d %d times".formatted(table.postgres, key, weight));
            }
        }
        if (!pipeline.isSettled()) return Optional.of("not everything is complete");
        if (!postgres.hasSlot()) return Optional.of("there is no slot");
        if (postgres.wal.end().isAfter(postgres.confirmed())) {
            return Optional.of(
                    "the slot stays at %s, WAL ends at %s".formatted(postgres.confirmed(), postgres.wal.end()));
        }
        return Optional.empty();
    }
}
