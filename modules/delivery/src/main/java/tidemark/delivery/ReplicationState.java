package tidemark.delivery;

import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.SourceIdentity;
import tidemark.sink.FelderaName;

/**
 * What survives a restart: who the two ends were, where each table stands, and the newest mark (delivery-rules.md R1).
 *
 * @param clean the process that wrote it had no POST unanswered and sent none afterwards
 * @param confirmed everything at or before it is finished with; PostgreSQL may have been told so
 */
record ReplicationState(Origin origin, Target target, boolean clean, Lsn confirmed, List<Table> tables) {

    /** The source's identity: a position means nothing on another one. */
    record Origin(String systemIdentifier, int timeline, String database, String slot) {
        /** Whatever became of it meanwhile. */
        boolean isSameDatabase(Origin other) {
            return systemIdentifier.equals(other.systemIdentifier)
                    && database.equals(other.database)
                    && slot.equals(other.slot);
        }

        @Override
        public String toString() {
            return "system %s, database %s, slot %s".formatted(systemIdentifier, database, slot);
        }

        static Origin of(SourceIdentity identity) {
            return new Origin(identity.systemIdentifier(), identity.timeline(), identity.database(), identity.slot());
        }
    }

    /**
     * @param address of the pipeline, as the destination names it
     * @param incarnation the life of the pipeline that the counts belong to
     */
    record Target(String address, String incarnation) {}

    /** Where a table stands (design §7). */
    enum Stand {
        /** Must be copied. */
        PENDING,
        /** Compared with PostgreSQL's and not through with it: it may hold rows that nothing else takes out. */
        MERGING,
        /** Copied; the stream takes it on from {@link Table#position()}. */
        COPIED,
        /** The same, and no mark moves it: the stream leaves it out until it is read again (docs/adr/0017). */
        LEFT_OUT,
        /** Its counter was not what it had to be: it may hold rows that nobody accounts for (delivery-rules.md R7). */
        DOUBTED,
        /** Never copied ({@code snapshot.mode=never}): marks only. */
        UNKNOWN
    }

    /**
     * @param oid of the PostgreSQL table: the same name with another oid is another table
     * @param position transactions that end at or before it are in the table
     * @param count operations on the endpoint that cover the table exactly up to {@code position}
     * @param taken operations that the endpoint was known to have taken when this was written: all, if that was a clean
     *     stop
     * @param edition of which it was copied, or is about to be; empty only in a file of a Tidemark that kept none
     */
    record Table(
            RelationName postgres,
            int oid,
            FelderaName feldera,
            Stand stand,
            Lsn position,
            long count,
            long taken,
            Optional<EditionRead> edition) {
        Table(RelationName postgres, int oid, FelderaName feldera, Stand stand, Lsn position, long count, long taken) {
            this(postgres, oid, feldera, stand, position, count, taken, Optional.empty());
        }

        /** What it has, it has up to its position. */
        boolean isCopied() {
            return stand == Stand.COPIED || stand == Stand.LEFT_OUT;
        }

        Table at(Stand newStand, Lsn newPosition, long newCount) {
            return new Table(postgres, oid, feldera, newStand, newPosition, newCount, taken, edition);
        }

        Table of(EditionRead read) {
            return new Table(postgres, oid, feldera, stand, position, count, taken, Optional.of(read));
        }
    }

    Optional<Table> table(RelationName name) {
        return tables.stream().filter(table -> table.postgres().equals(name)).findFirst();
    }

    Optional<Table> table(int oid) {
        return tables.stream().filter(table -> table.oid() == oid).findFirst();
    }

    /** Whether a table may have rows that were copied or delivered, all of them or not. */
    boolean anythingKept() {
        return tables.stream().anyMatch(table -> table.stand() != Stand.PENDING);
    }

    /** Nothing is in Feldera of what WAL has after it. */
    Lsn newest() {
        return tables.stream().map(Table::position).reduce(confirmed, Lsn::later);
    }

    /** The newest mark taken over: every table that is not pending stands at it, or further on by its copy. */
    ReplicationState at(Mark mark) {
        return new ReplicationState(
                origin,
                target,
                clean,
                mark.confirmable(),
                tables.stream().map(table -> moved(table, mark)).toList());
    }

    private static Table moved(Table table, Mark mark) {
        return switch (table.stand()) {
            case PENDING, MERGING, LEFT_OUT, DOUBTED -> table;
            case COPIED, UNKNOWN ->
                table.at(
                        table.stand(),
                        Lsn.later(table.position(), mark.covered()),
                        mark.counts().getOrDefault(table.feldera(), table.count()));
        };
    }

    ReplicationState doubting(FelderaName feldera) {
        return with(tables.stream()
                .map(table -> table.feldera().equals(feldera)
                        ? table.at(Stand.DOUBTED, table.position(), table.count())
                        : table)
                .toList());
    }

    ReplicationState with(List<Table> newTables) {
        return new ReplicationState(origin, target, clean, confirmed, newTables);
    }

    /** In the place of the table of that name. */
    ReplicationState with(Table table) {
        return with(tables.stream()
                .map(of -> of.postgres().equals(table.postgres()) ? table : of)
                .toList());
    }

    ReplicationState counting(EndpointCounts counts) {
        return with(tables.stream()
                .map(table -> new Table(
                        table.postgres(),
                        table.oid(),
                        table.feldera(),
                        table.stand(),
                        table.position(),
                        table.count(),
                        counts.taken(table.feldera()),
                        table.edition()))
                .toList());
    }

    ReplicationState stoppedClean(boolean nothingLeftBehind) {
        return new ReplicationState(origin, target, nothingLeftBehind, confirmed, tables);
    }
}
