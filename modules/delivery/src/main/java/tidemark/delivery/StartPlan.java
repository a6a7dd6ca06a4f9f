package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceIdentity;
import tidemark.sink.FelderaName;

/**
 * How a session begins: what becomes of the slot, and of each table. A pure function of what was found on both ends and
 * in the state file; docs/architecture.md has the table.
 *
 * <p>A first copy that broke leaves rows in Feldera that the second one may not contain. They go away because the slot
 * never moves while a table is pending: everything after its position is streamed again over the second copy, deletes
 * and key changes included (docs/adr/0004).
 */
sealed interface StartPlan {
    /** Of a table that is read again. */
    String BROKE_OFF = "the last time did not come to its end";

    /** Whether tables are copied beside a slot that there is already. */
    default boolean copiesBesideSlot() {
        return switch (this) {
            case Refuse _, Doubt _, CreateSlot _ -> false;
            case UseSlot(Lsn _, List<Begin> tables) ->
                tables.stream().anyMatch(begin -> begin.how().copies());
        };
    }

    /** Nothing may be streamed before a person has decided. */
    record Refuse(String what, String remedy) implements StartPlan {}

    /** As {@link Refuse}, and a restart must know it, too: the table's rows are not all ours (delivery-rules.md R7). */
    record Doubt(ReplicationState durable, String what, String remedy) implements StartPlan {}

    /** There is no slot yet. {@code mode} says whether every table is copied, and under which snapshot. */
    record CreateSlot(SnapshotMode mode, List<Begin> tables) implements StartPlan {}

    /** @param resumeAt what the first status reply of the session may carry: at or after the slot's own position */
    record UseSlot(Lsn resumeAt, List<Begin> tables) implements StartPlan {}

    /** One table's beginning. */
    record Begin(Subject table, How how) {
        /** How the table stands on disk before the first row of this session is sent. */
        ReplicationState.Table recorded(Lsn resumeAt) {
            var pending = new ReplicationState.Table(
                    table.postgres(),
                    table.oid(),
                    table.feldera(),
                    Stand.PENDING,
                    resumeAt,
                    table.count(),
                    table.count());
            return switch (how) {
                case How.Copy _, How.CopyAgain _ -> pending;
                case How.Merge _ -> pending.at(Stand.MERGING, resumeAt, table.count());
                case How.Continue(Stand stand, Lsn position, long count) -> pending.at(stand, position, count);
                case How.StreamOnly() -> pending.at(Stand.UNKNOWN, resumeAt, table.count());
            };
        }
    }

    static Begin find(List<Begin> begins, RelationName table) {
        return begins.stream()
                .filter(begin -> begin.table().postgres().equals(table))
                .findFirst()
                .orElseThrow();
    }

    /** The mapping of the table that begins so. */
    static TablePlan planOf(Begin begin, List<TablePlan> plans) {
        return plans.stream()
                .filter(plan -> plan.postgres().equals(begin.table().postgres()))
                .findFirst()
                .orElseThrow();
    }

    sealed interface How {
        default boolean copies() {
            return switch (this) {
                case Copy _, CopyAgain _, Merge _ -> true;
                case Continue _, StreamOnly() -> false;
            };
        }

        /** Whether every row of it is sent. */
        default boolean isReadWhole() {
            return switch (this) {
                case Copy _, CopyAgain _ -> true;
                case Merge _, Continue _, StreamOnly() -> false;
            };
        }

        /** Why every row of a table that the state file knows is sent once more; empty for a first copy. */
        default Optional<String> whyAgain() {
            return switch (this) {
                case Copy(Optional<String> why) -> why;
                case CopyAgain(String why) -> Optional.of(why);
                case Merge _, Continue _, StreamOnly() -> Optional.empty();
            };
        }

        /** The endpoint has taken nothing in this life: copy, and skip what the copy already contains. */
        record Copy(Optional<String> why) implements How {}

        /** The endpoint has taken operations of ours that lie after the slot's position: copy, and skip nothing. */
        record CopyAgain(String why) implements How {}

        /** Feldera may hold rows that nothing which is still to come takes out: compare, and send the differences. */
        record Merge(String why) implements How {}

        record Continue(Stand stand, Lsn position, long count) implements How {}

        /** {@code snapshot.mode=never}. */
        record StreamOnly() implements How {}
    }

    /**
     * @param count operations that the table's endpoint has taken in this life of the pipeline
     * @param accounted whether they can all be ours
     * @param leftovers of a copy that broke, if there was one
     */
    record Subject(
            RelationName postgres, int oid, FelderaName feldera, long count, boolean accounted, Leftovers leftovers) {}

    /**
     * @param fresh the running life of the pipeline began empty
     * @param walEnd where PostgreSQL's WAL ends, asked after the state file was read
     * @param mends whether what the stream cannot bring is read again
     * @param tables the configured ones
     */
    record Found(
            Optional<ReplicationState> state,
            SourceIdentity source,
            SlotStatus slot,
            Lsn walEnd,
            String address,
            String incarnation,
            boolean fresh,
            SnapshotMode mode,
            boolean mends,
            List<Subject> tables) {
        boolean sameLife() {
            return state.filter(known -> known.target().incarnation().equals(incarnation))
                    .isPresent();
        }

        boolean sameTimeline() {
            return state.filter(known -> known.origin().timeline() != source.timeline())
                    .isEmpty();
        }
    }

    static StartPlan decide(Found found) {
        Optional<RememberedEnds> before = found.state().map(state -> new RememberedEnds(state, found));
        Optional<Refuse> stranger = before.flatMap(RememberedEnds::areOthers);
        if (stranger.isPresent()) return stranger.get();
        Optional<Refuse> older = before.flatMap(RememberedEnds::putBack);
        if (older.isPresent()) return older.get();
        // Before what may be mended: a slot that is not ours cannot be made anew.
        if (found.slot() instanceof SlotStatus.Foreign(String why)) return notOurs(found, why);
        Optional<Refuse> another = before.flatMap(RememberedEnds::inAnotherHistory);
        if (another.isPresent()) return lost(found, another.get());
        Optional<Refuse> emptied = before.filter(_ -> !found.mends()).flatMap(RememberedEnds::emptied);
        if (emptied.isPresent()) return emptied.get();
        return switch (found.slot()) {
            case SlotStatus.Lost(String why) ->
                lost(
                        found,
                        new Refuse(
                                "slot %s lost the WAL it stood for (%s)"
                                        .formatted(found.source().slot(), why),
                                Remedy.MEND));
            case SlotStatus.Foreign(String why) -> notOurs(found, why);
            case SlotStatus.Missing _, SlotStatus.HalfMade _ -> withoutSlot(found);
            case SlotStatus.Usable usable -> withSlot(found, usable.confirmedFlush());
        };
    }

    private static Refuse notOurs(Found found, String why) {
        return new Refuse(
                "slot %s is not ours: %s".formatted(found.source().slot(), why), "Choose another postgres.slot.");
    }

    /** What was refused concerns every table, and reading all of them again mends it, if it may be mended. */
    private static StartPlan lost(Found found, Refuse refused) {
        if (!found.mends()) return refused;
        List<Begin> begins = found.tables().stream()
                .map(table -> new Begin(table, readAgain(new RememberedTable(found, table), refused.what())))
                .toList();
        return switch (found.slot()) {
            case SlotStatus.Usable(Lsn slotAt, var _, var _) -> new UseSlot(resumeAt(found, slotAt), begins);
            case SlotStatus.Missing _, SlotStatus.HalfMade _, SlotStatus.Lost _ ->
                new CreateSlot(SnapshotMode.INITIAL, begins);
            case SlotStatus.Foreign(String why) -> notOurs(found, why);
        };
    }

    private static How readAgain(RememberedTable remembered, String why) {
        return remembered.table().count() == 0 && !remembered.isMergedAgain()
                ? new How.Copy(remembered.known().map(_ -> why))
                : new How.Merge(why);
    }

    /**
     * A slot that fell back stays back while idle unless the first reply says what was confirmed (R1). That holds in a
     * new life too: its copies see all of it, and what it took from us before it was noticed lies after it.
     */
    private static Lsn resumeAt(Found found, Lsn slotAt) {
        return found.state()
                .filter(_ -> found.sameTimeline())
                .map(state -> Lsn.later(state.confirmed(), slotAt))
                .orElse(slotAt);
    }

    private static StartPlan withoutSlot(Found found) {
        String slotNow = found.slot() instanceof SlotStatus.HalfMade
                ? "is only half-made: the one before it is gone"
                : "is gone";
        if (anythingKept(found)) {
            return lost(
                    found,
                    new Refuse(
                            "slot %s %s, and with it the changes since"
                                    .formatted(found.source().slot(), slotNow),
                            Remedy.MEND));
        }
        StartPlan begun = begin(found, Optional.empty());
        if (!(begun instanceof CreateSlot(SnapshotMode mode, List<Begin> begins))) return begun;
        // Under a slot that is made without a snapshot nothing is read.
        Predicate<How> impossible = how -> how instanceof How.CopyAgain || (mode == SnapshotMode.NEVER && how.copies());
        return leftBehind(found, begins, impossible, slotNow)
                .map(refused -> lost(found, refused))
                .orElse(begun);
    }

    private static boolean anythingKept(Found found) {
        return found.sameLife() && found.state().orElseThrow().anythingKept();
    }

    /**
     * What a broken copy left, or a new life took from us before it was noticed, is retracted by the WAL since the
     * slot's position, and that went with the slot.
     */
    private static Optional<Refuse> leftBehind(
            Found found, List<Begin> begins, Predicate<How> impossible, String slotNow) {
        return begins.stream()
                .filter(begin -> impossible.test(begin.how()))
                .map(Begin::table)
                .findFirst()
                .map(table -> new Refuse(
                        "slot %s %s, and with it went what would remove the rows that were left in Feldera table %s (%d operations)"
                                .formatted(found.source().slot(), slotNow, table.feldera(), table.count()),
                        Remedy.MEND));
    }

    private static StartPlan withSlot(Found found, Lsn slotAt) {
        boolean ahead =
                found.state().filter(state -> slotAt.isAfter(state.confirmed())).isPresent();
        if (ahead && anythingKept(found)) {
            Lsn confirmed = found.state().orElseThrow().confirmed();
            return lost(
                    found,
                    new Refuse(
                            "slot %s stands at %s, ahead of %s, the last position confirmed here: somebody else moved it"
                                    .formatted(found.source().slot(), slotAt, confirmed),
                            "Find out who uses the slot. " + Remedy.MEND));
        }
        StartPlan begun = begin(found, Optional.of(slotAt));
        if (!(ahead && begun instanceof UseSlot(Lsn _, List<Begin> begins))) return begun;
        return leftBehind(found, begins, How.CopyAgain.class::isInstance, "was moved by somebody else")
                .map(refused -> lost(found, refused))
                .orElse(begun);
    }

    private static StartPlan begin(Found found, Optional<Lsn> slotAt) {
        List<Begin> begins = new ArrayList<>();
        for (Subject table : found.tables()) {
            var remembered = new RememberedTable(found, table);
            Optional<Refuse> broken = remembered.broken();
            if (broken.isPresent() && !found.mends()) {
                return refused(found, broken.get());
            }
            begins.add(new Begin(
                    table,
                    broken.<How>map(refused -> new How.Merge(refused.what())).orElseGet(() -> how(found, remembered))));
        }
        return slotAt.<StartPlan>map(at -> new UseSlot(resumeAt(found, at), List.copyOf(begins)))
                .orElseGet(() -> new CreateSlot(found.mode(), List.copyOf(begins)));
    }

    /** A process that comes after this one does not see every doubt any more. */
    static StartPlan refused(Found found, Refuse refused) {
        List<FelderaName> doubted = found.tables().stream()
                .filter(table -> new RememberedTable(found, table).isDoubted())
                .map(Subject::feldera)
                .toList();
        if (doubted.isEmpty()) return refused;
        ReplicationState state = found.state().orElseThrow();
        for (FelderaName table : doubted) state = state.doubting(table);
        return new Doubt(state, refused.what(), refused.remedy());
    }

    /** Of a table that is accounted for. */
    private static How how(Found found, RememberedTable remembered) {
        if (remembered.isMergedAgain()) return new How.Merge(BROKE_OFF);
        Subject table = remembered.table();
        Optional<ReplicationState.Table> known = remembered.known();
        Optional<ReplicationState.Table> standing =
                known.filter(k -> found.sameLife() && k.stand() != Stand.PENDING && k.stand() != Stand.MERGING);
        if (found.mode() == SnapshotMode.NEVER
                || standing.filter(k -> k.isCopied()).isPresent()) {
            return standing.<How>map(
                            k -> new How.Continue(k.isCopied() ? Stand.COPIED : k.stand(), k.position(), table.count()))
                    .orElse(new How.StreamOnly());
        }
        Optional<String> again = known.filter(k -> k.stand() != Stand.UNKNOWN || !found.sameLife())
                .map(_ -> found.sameLife() ? BROKE_OFF : emptied(found));
        if (table.count() == 0) return new How.Copy(again);
        // Ours: a copy of this life that broke, or a POST meant for an earlier life that this one took (R3). Both hold
        // only what lies after the slot's position.
        return switch (table.leftovers()) {
            case REPLAYED -> new How.CopyAgain(again.orElseThrow());
            case DOUBLED -> new How.Merge("what is left of a copy would be there twice");
            case UNTOLD ->
                new How.Merge(
                        "it is not as it was when it was last read, as far as is known, and what that left may stay");
        };
    }

    private static String emptied(Found found) {
        return new RememberedEnds(found.state().orElseThrow(), found).inAnotherLife();
    }
}
