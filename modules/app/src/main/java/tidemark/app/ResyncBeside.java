package tidemark.app;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.Consumer;
import tidemark.decode.RelationName;
import tidemark.delivery.ExitCode;
import tidemark.delivery.Phase;
import tidemark.delivery.TableState;

/** {@code tidemark resync}: has the running service read one table again, and waits until the table is whole. */
final class ResyncBeside {
    private static final System.Logger LOG = System.getLogger(ResyncBeside.class.getName());

    private final Door door;
    private final Consumer<String> report;
    private final CommandStop stop;
    private boolean askedAgain;
    /** Since when no session streams or copies. */
    private Optional<Long> idleSinceNanos = Optional.empty();

    ResyncBeside(Door door, Consumer<String> report, CommandStop stop) {
        this.door = door;
        this.report = report;
        this.stop = stop;
    }

    /** @param spelled as {@code tables} names it */
    ExitCode run(String spelled) {
        askedAgain = false;
        idleSinceNanos = Optional.empty();
        return await(spelled, door.post(spelled, "resync").text("table"));
    }

    ExitCode run(RelationName table) {
        return run(VerifyBeside.quoted(table));
    }

    /** Has it not be read again after all. */
    ExitCode cancel(String spelled) {
        report.accept("%s: cancelled".formatted(door.delete(spelled, "resync").text("table")));
        return ExitCode.DRAINED;
    }

    private ExitCode await(String spelled, String table) {
        while (true) {
            DoorReply status = door.statusReply();
            DoorReply stands = status.objects("tables").stream()
                    .filter(one -> one.text("postgres").equals(table))
                    .findFirst()
                    .orElseThrow(() -> gone(table, "it is not in its status any more"));
            Optional<ExitCode> over = over(spelled, table, status, stands);
            if (over.isPresent()) return over.get();
            waits(table, status);
            stop.pause();
        }
    }

    /** Empty while it is under way. */
    private Optional<ExitCode> over(String spelled, String table, DoorReply status, DoorReply stands) {
        DoorReply resync = stands.findObject("resync").orElseThrow(() -> gone(table, "the service was started again"));
        return switch (resync.text("state")) {
            case "done" -> {
                long missing = resync.number("missing");
                long different = resync.number("different");
                long extra = resync.number("extra");
                report.accept("%s: %,d rows read again, %,d missing, %,d extra, %,d different: mended by %,d operations"
                        .formatted(
                                table, resync.number("rows"), missing, extra, different, missing + extra + different));
                yield Optional.of(ExitCode.DRAINED);
            }
            case "failed" -> throw gone(table, resync.findText("why").orElse("it failed"));
            case "interrupted" -> askAgain(spelled, table, status, stands);
            default -> Optional.empty();
        };
    }

    /** The next session merges it, if this one came so far as to leave word of it: asked again, it is known. */
    private Optional<ExitCode> askAgain(String spelled, String table, DoorReply status, DoorReply stands) {
        boolean streams = status.text("phase").equals(Phase.STREAMING.word())
                && stands.text("state").equals(TableState.STREAMING.word());
        if (!streams) return Optional.empty();
        if (askedAgain) throw gone(table, "twice the session ended while it was read");
        askedAgain = true;
        door.post(spelled, "resync");
        return Optional.empty();
    }

    /** Without a session nothing goes on, which may be for ever. */
    private void waits(String table, DoorReply status) {
        if (status.is("ready")) {
            idleSinceNanos = Optional.empty();
            return;
        }
        String what = status.text("phase")
                + status.findText("waitingFor").map(" for %s"::formatted).orElse("")
                + status.findText("lastFailure").map(", after: %s"::formatted).orElse("");
        long now = System.nanoTime();
        if (idleSinceNanos.isEmpty()) {
            idleSinceNanos = Optional.of(now);
            LOG.log(Level.INFO, "waiting table={0} for=\"a session\" the_service_is=\"{1}\"", table, what);
        }
        if (now - idleSinceNanos.get() < door.patience().toNanos()) return;
        throw gone(table, "no session streamed for %s, the service is %s".formatted(door.patience(), what));
    }

    private static Door.Shut gone(String table, String why) {
        return new Door.Shut(
                ExitCode.TEMPORARY,
                "%s was not read again: %s".formatted(table, why),
                "look at the service's log, and ask again");
    }
}
