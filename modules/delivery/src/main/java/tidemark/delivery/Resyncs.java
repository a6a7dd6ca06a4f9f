package tidemark.delivery;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.SnapshotMode;

/**
 * Which tables were asked to be read again, one after the other, and what became of each, on the {@link StatusBoard}.
 * Outlives sessions; a table whose session ended while it was merged is no longer asked for, as the next session merges
 * it before it streams.
 *
 * <p>{@link #request} and {@link #cancel} are called by any thread, everything else by the connector's. A crash loses
 * what was asked for and not begun.
 */
final class Resyncs {
    /** How far the table is that is read. */
    private enum Reach {
        LOOKED_AT,
        /** The position is held. */
        LEFT_OUT,
        /** Its rows are those of a moment: what is asked for from now on is another time. */
        IMAGED,
        /** All of it was compared, and there is no difference. */
        SETTLED,
        /** It is neither what it was nor what it is to be, and on disk as such. */
        MERGING
    }

    private sealed interface Stage {
        record None() implements Stage {}

        /** @param cancelled it is to be left as it is */
        record Reading(RelationName table, Reach reach, boolean cancelled) implements Stage {}

        /**
         * The changes that it lacks come with what the others have already, up to {@code until}.
         *
         * @param whole empty if nothing was read
         */
        record GoingBack(RelationName table, Lsn until, Optional<Whole> whole) implements Stage {}
    }

    /** Read as of that position, and what was found. */
    private record Whole(Lsn at, MergedTable.Found found) {}

    /** What is shown of a table, for as long as nothing newer is. */
    private record Shown(
            String state,
            Instant since,
            Supplier<MergedTable.Found> found,
            Optional<Lsn> at,
            Supplier<Optional<String>> why) {
        ConnectorStatus.Resync picture() {
            MergedTable.Found so = found.get();
            return new ConnectorStatus.Resync(
                    state, since, so.rows(), so.missing(), so.different(), so.extra(), at, why.get());
        }
    }

    private static final String CANCELLED = "it was cancelled";

    private final List<TableRoute> routes;
    private final boolean neverReads;
    private final StatusBoard board;
    private final InstantSource clock;
    private final ArrayDeque<RelationName> asked = new ArrayDeque<>();
    private final Set<RelationName> failed = new HashSet<>();
    /** Left out by a session that ended, and asked for again without a person. */
    private final Set<RelationName> lost = new HashSet<>();

    private Stage stage = new Stage.None();
    /** Of the session that streams; without one there are none. */
    private List<TablePlan> streaming = List.of();

    Resyncs(DeliverySettings settings, StatusBoard board, InstantSource clock) {
        this.routes = settings.routes();
        this.neverReads = settings.snapshotMode() == SnapshotMode.NEVER;
        this.board = board;
        this.clock = clock;
    }

    synchronized ResyncReply request(RelationName table) {
        if (isUnknown(table)) return new ResyncReply.UnknownTable();
        if (neverReads) {
            return new ResyncReply.Refused(
                    "snapshot.mode=never reads no table", "Set snapshot.mode=initial and start again.");
        }
        if (asked.contains(table) || isUnderWay(table)) return new ResyncReply.UnderWay();
        Optional<TablePlan> plan =
                streaming.stream().filter(of -> of.postgres().equals(table)).findFirst();
        if (plan.isEmpty()) return new ResyncReply.NotStreaming();
        try {
            MergeCheck.requireMergeable(plan.get());
        } catch (RowRefused refused) {
            return new ResyncReply.Refused(String.valueOf(refused.getMessage()), refused.remedy());
        }
        asked.add(table);
        failed.remove(table);
        lost.remove(table);
        if (!isAt(table)) show(table, "requested", Optional.empty()); // else once that is over
        return new ResyncReply.Accepted();
    }

    private boolean isUnknown(RelationName table) {
        return routes.stream().noneMatch(route -> route.postgres().equals(table));
    }

    /** What is asked for now comes with it. */
    private boolean isUnderWay(RelationName table) {
        return stage instanceof Stage.Reading(RelationName read, Reach reach, boolean _)
                && read.equals(table)
                && reach.compareTo(Reach.IMAGED) < 0;
    }

    private boolean isAt(RelationName table) {
        return switch (stage) {
            case Stage.None() -> false;
            case Stage.Reading(RelationName read, Reach _, boolean _) -> read.equals(table);
            case Stage.GoingBack(RelationName read, Lsn _, var whole) -> whole.isPresent() && read.equals(table);
        };
    }

    /** A session that began has read these, so what was asked for is done; whoever wants to know more asks again. */
    synchronized void readWhole(List<RelationName> tables) {
        tables.stream()
                .filter(asked::remove)
                .forEach(table -> show(
                        table, "interrupted", Optional.of("a session that began meanwhile has read the table whole")));
    }

    /** A session streams these. */
    synchronized void streams(List<TablePlan> plans) {
        streaming = plans;
    }

    /** The next one to be read, once the one before is over. */
    synchronized Optional<RelationName> next() {
        if (!(stage instanceof Stage.None) || asked.isEmpty()) return Optional.empty();
        RelationName table = asked.remove();
        stage = new Stage.Reading(table, Reach.LOOKED_AT, false);
        show(table, "looking", Optional.empty());
        return Optional.of(table);
    }

    /** @param found so far, asked by whoever looks at the status, as is {@code waitsFor} */
    synchronized void merges(
            RelationName table, Supplier<MergedTable.Found> found, Supplier<Optional<String>> waitsFor) {
        show(table, "merging", found, Optional.empty(), waitsFor);
    }

    /** It is left out of the stream. */
    synchronized void leftOut() {
        reaches(Reach.LEFT_OUT);
    }

    /** Its snapshot is there. */
    synchronized void imaged() {
        reaches(Reach.IMAGED);
    }

    private void reaches(Reach reach) {
        if (stage instanceof Stage.Reading(RelationName table, Reach _, boolean cancelled)) {
            stage = new Stage.Reading(table, reach, cancelled);
        }
    }

    /**
     * The first difference is about to be sent, and a session that begins now would merge it. Returns whether it may:
     * not if it was cancelled.
     */
    synchronized boolean changes(RelationName table) {
        return decides(table, Reach.MERGING);
    }

    /** All of it is known. Returns whether that counts: not if it was cancelled before a difference was sent. */
    synchronized boolean settles(RelationName table, boolean changed) {
        return decides(table, changed ? Reach.MERGING : Reach.SETTLED);
    }

    private boolean decides(RelationName table, Reach reach) {
        if (cancelled().isPresent()) return false;
        stage = new Stage.Reading(table, reach, false);
        return true;
    }

    synchronized CancelReply cancel(RelationName table) {
        if (isUnknown(table)) return new CancelReply.UnknownTable();
        boolean queued = asked.remove(table);
        if (!(stage instanceof Stage.Reading(RelationName read, Reach reach, boolean _)) || !read.equals(table)) {
            if (queued && !isAt(table)) show(table, "failed", Optional.of(CANCELLED));
            return queued ? new CancelReply.Cancelled() : new CancelReply.NotUnderWay();
        }
        if (reach.compareTo(Reach.SETTLED) >= 0) return new CancelReply.TooLate();
        stage = new Stage.Reading(table, reach, true);
        return new CancelReply.Cancelled();
    }

    /** Why the table that is read again has to be left, if somebody asked for that. */
    synchronized Optional<SessionOver> cancelled() {
        return stage instanceof Stage.Reading(var _, var _, boolean cancelled) && cancelled
                ? Optional.of(new SessionOver(Failure.peer(CANCELLED, "Ask again, if that was a mistake.")))
                : Optional.empty();
    }

    /** It is whole as of {@code at}; the stream begins again and brings what came since. */
    synchronized void goesBack(RelationName table, Lsn until, Lsn at, MergedTable.Found found) {
        var whole = new Whole(at, found);
        stage = new Stage.GoingBack(table, until, Optional.of(whole));
        show(table, "going-back", whole);
    }

    /** @param goesBack up to there, if it was left out of the stream meanwhile */
    synchronized void failed(RelationName table, String why, Optional<Lsn> goesBack) {
        if (cancelled().isEmpty()) failed.add(table);
        stage = goesBack.<Stage>map(until -> new Stage.GoingBack(table, until, Optional.empty()))
                .orElse(new Stage.None());
        over(table, () -> show(table, "failed", Optional.of(why)));
    }

    /** What becomes of it, unless it was asked for again meanwhile. */
    private void over(RelationName table, Runnable tell) {
        if (asked.contains(table)) show(table, "requested", Optional.empty());
        else tell.run();
    }

    /** Whether that is what became of it the last time that it was asked for. */
    synchronized boolean hasFailed(RelationName table) {
        return failed.contains(table);
    }

    /** Everything below was read. Returns the table that has caught up by that. */
    synchronized Optional<RelationName> received(Lsn position) {
        if (!(stage instanceof Stage.GoingBack(RelationName table, Lsn until, Optional<Whole> whole))
                || until.isAfter(position)) return Optional.empty();
        stage = new Stage.None();
        whole.ifPresent(read -> over(table, () -> show(table, "done", read)));
        return Optional.of(table);
    }

    /** The session is over; what was not begun is left to the next one. */
    synchronized void streamEnded() {
        streaming = List.of();
        if (!(stage instanceof Stage.Reading(RelationName table, Reach reach, boolean cancelled))) return;
        if (cancelled) {
            failed(table, CANCELLED, Optional.empty());
        } else if (reach == Reach.MERGING) {
            show(
                    table,
                    "interrupted",
                    Optional.of("the session ended; the next one merges the table before it streams"));
        } else if (reach == Reach.LOOKED_AT || lost.add(table)) {
            asked.remove(table);
            asked.addFirst(table);
            show(table, "requested", Optional.empty());
        } else {
            failed(table, "twice the session ended while it was read again", Optional.empty());
        }
        stage = new Stage.None();
    }

    private void show(RelationName table, String state, Whole whole) {
        show(table, state, whole::found, Optional.of(whole.at()), Optional::empty);
    }

    private void show(RelationName table, String state, Optional<String> why) {
        show(table, state, () -> MergedTable.Found.NOTHING, Optional.empty(), () -> why);
    }

    private void show(
            RelationName table,
            String state,
            Supplier<MergedTable.Found> found,
            Optional<Lsn> at,
            Supplier<Optional<String>> why) {
        board.of(table).resync(new Shown(state, clock.instant(), found, at, why)::picture);
    }
}
