package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidemark.replication.ChangeSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceSession;

/**
 * Drops the slot of a service that does not run, after it has said what is lost and a person has typed the slot's name.
 *
 * <p>Holds the state's turn meanwhile: a service that is started before the answer waits, as it would for another
 * service. Changes nothing but the slot; asks Feldera nothing.
 */
public final class SlotDrop {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    private final ChangeSource source;
    private final Path stateFile;
    private final DeliverySettings.SnapshotMode mode;
    private final DeliverySettings.OnStateLoss onStateLoss;
    private final Consumer<String> report;

    /** @param report takes what people are told, line by line */
    public SlotDrop(
            ChangeSource source,
            Path stateFile,
            DeliverySettings.SnapshotMode mode,
            DeliverySettings.OnStateLoss onStateLoss,
            Consumer<String> report) {
        this.source = source;
        this.stateFile = stateFile.toAbsolutePath();
        this.mode = mode;
        this.onStateLoss = onStateLoss;
        this.report = report;
    }

    /**
     * @param confirmation asks for the slot's name; empty at the end of the input
     * @return {@link ExitCode#DRAINED} when there is no slot any more, {@link ExitCode#USAGE} when it was not
     *     confirmed, or why it was not dropped
     */
    public ExitCode run(Supplier<Optional<String>> confirmation) {
        return run(name ->
                confirmation.get().map(String::strip).filter(name::equals).isPresent());
    }

    /** The same without a question. */
    public ExitCode runUnasked() {
        return run(_ -> true);
    }

    private interface Confirmed {
        boolean by(String slot);
    }

    private ExitCode run(Confirmed confirmed) {
        try (SourceSession session = source.open()) {
            requireNotInUse(session);
            var store = new StateFile(stateFile);
            if (!store.hasDirectory()) return dropped(session, Optional::empty, confirmed);
            try (StateStore.Turn _ = store.takeTurn().orElseThrow(SlotDrop::begins)) {
                return dropped(session, () -> store.read().state(), confirmed);
            }
        } catch (RuntimeException e) {
            Failure failure = FailurePolicy.of(e);
            LOG.log(Level.ERROR, "slot not dropped why=\"{0}\" remedy=\"{1}\"", failure.what(), failure.remedy());
            return FailurePolicy.exitAtOnce(failure);
        }
    }

    private static void requireNotInUse(SourceSession session) {
        String slot = session.identity().slot();
        switch (session.slot()) {
            case SlotStatus.Usable(var _, var _, OptionalInt pid)
            when pid.isPresent() ->
                throw new SessionOver(new Failure.Transient(
                        "slot %s is held by the walsender with pid %s"
                                .formatted(slot, Integer.toString(pid.getAsInt())),
                        "Stop the service first.",
                        true));
            case SlotStatus.Foreign(String why) ->
                throw new SessionOver(new Failure.Misconfigured(
                        ExitCode.CONFIGURATION,
                        "slot %s is not ours: %s".formatted(slot, why),
                        "Check postgres.slot and the database in postgres.url."));
            case SlotStatus.Usable _, SlotStatus.Missing _, SlotStatus.HalfMade _, SlotStatus.Lost _ -> {}
        }
    }

    private static SessionOver changed(String slot) {
        return new SessionOver(new Failure.Transient(
                "slot %s is not as it was when you were asked: somebody has used it".formatted(slot),
                "Find out who, and try again.",
                true));
    }

    private static SessionOver begins() {
        return new SessionOver(new Failure.Transient(
                "a service begins or copies with the same state file", "Stop the service first.", true));
    }

    private ExitCode dropped(SourceSession session, Supplier<Optional<ReplicationState>> state, Confirmed confirmed) {
        String name = session.identity().slot();
        SlotStatus slot = session.slot();
        if (slot instanceof SlotStatus.Missing) {
            report.accept("there is no slot %s: nothing to drop".formatted(name));
            return ExitCode.DRAINED;
        }
        tell(session, slot, state);
        if (!confirmed.by(name)) {
            report.accept("nothing was dropped");
            return ExitCode.USAGE;
        }
        requireNotInUse(session); // a person may think for long
        if (!session.slot().equals(slot)) throw changed(name);
        session.dropSlot();
        if (!(source.slot() instanceof SlotStatus.Missing)) {
            throw new SessionOver(new Failure.Transient(
                    "slot %s was dropped, and is there again: somebody has made it anew".formatted(name),
                    "Stop the service first.",
                    true));
        }
        report.accept("dropped slot " + name);
        return ExitCode.DRAINED;
    }

    /** A file that cannot be read keeps nobody from starting over. */
    private void tell(SourceSession session, SlotStatus slot, Supplier<Optional<ReplicationState>> state) {
        try {
            new SlotLoss(session.identity(), slot, source.walEnd(), stateFile, state.get(), mode, onStateLoss)
                    .lines()
                    .forEach(report);
        } catch (UnreadableState unreadable) {
            new SlotLoss(session.identity(), slot, source.walEnd(), stateFile, Optional.empty(), mode, onStateLoss)
                    .ofSlotAlone()
                    .forEach(report);
            report.accept(
                    "%s. The next run refuses (exit 78). %s".formatted(unreadable.getMessage(), unreadable.remedy()));
        }
    }
}
