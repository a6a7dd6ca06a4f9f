package tidemark.delivery;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.delivery.DeliverySettings.OnStateLoss;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceIdentity;

/**
 * What goes with a slot that is dropped, and what the next run will do about it, for a person to read first. Says of
 * every state what {@link StartPlan} decides without a slot; a pure function of what was found.
 *
 * @param walEnd where PostgreSQL's WAL ends
 * @param state of the state file, if there is one
 */
record SlotLoss(
        SourceIdentity source,
        SlotStatus slot,
        Lsn walEnd,
        Path stateFile,
        Optional<ReplicationState> state,
        SnapshotMode mode,
        OnStateLoss onStateLoss) {
    List<String> lines() {
        List<String> lines = new ArrayList<>(ofSlotAlone());
        state.ifPresent(known -> lines.addAll(standing(known)));
        lines.addAll(next());
        return lines;
    }

    /** Without a word on the state file. */
    List<String> ofSlotAlone() {
        List<String> lines = new ArrayList<>();
        lines.add("slot %s of database %s".formatted(source.slot(), source.database()));
        lines.addAll(ofSlot());
        return lines;
    }

    private List<String> ofSlot() {
        return switch (slot) {
            case SlotStatus.Usable usable ->
                List.of(
                        "  confirmed_flush_lsn %s: Feldera may not have what was committed in the %s bytes of WAL since then, up to %s"
                                .formatted(
                                        usable.confirmedFlush(),
                                        Long.toString(walEnd.bytesSince(usable.confirmedFlush())),
                                        walEnd),
                        "  restart_lsn %s: it keeps %s bytes of WAL on the server's disk"
                                .formatted(usable.restart(), Long.toString(walEnd.bytesSince(usable.restart()))),
                        "Without it the changes since confirmed_flush_lsn can never be delivered: a new slot begins where it is"
                                + " made. Feldera keeps the rows that it has.");
            case SlotStatus.Lost(String why) ->
                List.of(
                        "It has lost the WAL it stood for (%s): nothing can be streamed from it, and dropping it loses nothing more."
                                .formatted(why));
            case SlotStatus.HalfMade _ ->
                List.of("It is half-made: nothing was ever streamed from it, and dropping it loses nothing.");
            case SlotStatus.Missing _, SlotStatus.Foreign _ -> List.of();
        };
    }

    private List<String> standing(ReplicationState state) {
        List<String> lines = new ArrayList<>();
        lines.add("state file %s: pipeline %s, incarnation %s, confirmed %s"
                .formatted(stateFile, state.target().address(), state.target().incarnation(), state.confirmed()));
        for (ReplicationState.Table table : state.tables()) {
            lines.add("  %s -> %s: %s"
                    .formatted(
                            table.postgres(),
                            table.feldera(),
                            switch (table.stand()) {
                                case PENDING -> "not copied to its end";
                                case COPIED, LEFT_OUT -> "copied, and delivered up to " + table.position();
                                case MERGING -> "read again, and not to its end";
                                case DOUBTED -> "in doubt: Feldera may not hold the rows that PostgreSQL does";
                                case UNKNOWN -> "never copied, and delivered up to " + table.position();
                            }));
        }
        return lines;
    }

    private List<String> next() {
        String makes = switch (mode) {
            case INITIAL -> "makes a new slot and copies all tables";
            case NEVER -> "makes a new slot, and with snapshot.mode=never Feldera gets only what changes from then on";
            case INCONSISTENT -> "copies all tables and makes a new slot: what is committed in between is lost";
        };
        boolean mends = onStateLoss.mends(mode);
        boolean copiesFirst = mode == SnapshotMode.INCONSISTENT
                && state.filter(ReplicationState::anythingKept).isEmpty();
        String mended = copiesFirst
                ? "The next run reads all tables again, mends what Feldera has of them and makes a new slot: what is committed in"
                        + " between is lost."
                : "The next run makes a new slot, reads all tables again and mends what Feldera has of them.";
        String unless =
                "It refuses (exit 78) if Feldera has taken rows of a table that it cannot query, or that cannot be compared:"
                        + " restart the pipeline empty.";
        if (state.isEmpty() && mends) return List.of("There is no state file %s.".formatted(stateFile), mended, unless);
        if (state.isEmpty()) {
            return List.of(
                    "There is no state file %s. The next run %s.".formatted(stateFile, makes),
                    mode == SnapshotMode.NEVER
                            ? "Rows that Feldera has already stay as they are."
                            : "It refuses (exit 78) as long as Feldera has taken rows for them already: restart the pipeline empty.");
        }
        ReplicationState known = state.get();
        var now = ReplicationState.Origin.of(source);
        if (!known.origin().isSameDatabase(now)) {
            return List.of(
                    "The state file belongs to another source: it says %s, this is %s. The next run refuses (exit 78), with or without the slot."
                            .formatted(known.origin(), now));
        }
        if (known.origin().timeline() == now.timeline() && known.newest().isAfter(walEnd)) {
            return List.of(
                    "PostgreSQL's WAL ends at %s, before %s that the state file knows: the next run refuses (exit 78), with or without the slot."
                            .formatted(walEnd, known.newest()));
        }
        if (mends) return List.of(mended, unless);
        if (known.origin().timeline() != now.timeline()) {
            return List.of(
                    "The server is on timeline %d and the state file knows timeline %d: the next run refuses (exit 78), with or without the slot."
                            .formatted(now.timeline(), known.origin().timeline()));
        }
        if (known.anythingKept()) {
            return List.of(
                    "The next run refuses (exit 78).",
                    "Start it once with %s: it makes a new slot, reads all tables again and mends what Feldera has of them."
                            .formatted(Remedy.RESNAPSHOT));
        }
        return mode == SnapshotMode.NEVER
                ? List.of("The next run " + makes + ".")
                : List.of(
                        "The next run " + makes + ".",
                        "It refuses (exit 78) if Feldera has taken rows of the copy that was not whole: restart the pipeline empty.");
    }
}
