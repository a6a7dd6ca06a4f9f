package tidemark.delivery;

import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.Snapshot;

/** How far a table is that is read again beside the stream ({@link Resync}). */
sealed interface ResyncState {
    /** A table that is to be read. {@code beside} is closed with it. */
    record Subject(TableBeside beside, TableBeside.Looked looked, Lsn leftOutFrom) {
        RelationName name() {
            return looked.plan().postgres();
        }
    }

    /**
     * @param stands the table, once everything is settled
     * @param tell says so, once that is on disk
     */
    record Outcome(ReplicationState.Table stands, Runnable tell) {}

    /** The table, from when it is left out until it is known what becomes of it. */
    default Optional<Subject> leftOut() {
        return Optional.empty();
    }

    default Optional<TableBeside> beside() {
        return leftOut().map(Subject::beside);
    }

    /** What becomes of the table, once everything is settled. */
    default Optional<Outcome> decided() {
        return Optional.empty();
    }

    record Idle() implements ResyncState {}

    record Looking(RelationName table, TableBeside looks, Errand.Answer<TableBeside.Looked> looked)
            implements ResyncState {
        @Override
        public Optional<TableBeside> beside() {
            return Optional.of(looks);
        }
    }

    /** Until the open transaction ends. */
    record Waiting(Subject subject) implements ResyncState {
        @Override
        public Optional<TableBeside> beside() {
            return Optional.of(subject.beside());
        }
    }

    /** Until it is LEFT_OUT on disk. Nothing is read meanwhile. */
    record Recording(Subject subject) implements Out {}

    /** Until the last batch that may have rows of it is accepted. */
    record Sending(Subject subject, long batch) implements Out {}

    record Covering(Subject subject, Covered covered) implements Out {}

    record Imaging(Subject subject, Errand.Answer<Snapshot> snapshot) implements Out {}

    /** @param filling of {@code source} */
    record Merging(Subject subject, Lsn at, RehearsedMerge source, Filling filling) implements Out {}

    /**
     * Until nobody holds a table exclusively, or waits to: no session could begin, and the others need not wait for
     * that.
     *
     * @param next looks for them
     */
    record Returning(Outcome outcome, NextSession next) implements Decided {}

    /** Until the open transaction ends. */
    record Ending(Outcome outcome) implements Decided {}

    record Ended(Outcome outcome) implements ResyncState {}

    /** It is known what becomes of the table, and not settled. */
    sealed interface Decided extends ResyncState {
        Outcome outcome();

        @Override
        default Optional<Outcome> decided() {
            return Optional.of(outcome());
        }
    }

    /** The stream leaves the table out, and the position is held. */
    sealed interface Out extends ResyncState {
        Subject subject();

        @Override
        default Optional<Subject> leftOut() {
            return Optional.of(subject());
        }
    }
}
