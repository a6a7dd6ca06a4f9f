package tidemark.app;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tidemark.decode.RelationName;
import tidemark.delivery.ExitCode;

/** {@code tidemark verify} where a service runs: asks it, table by table, and waits for what it says. */
final class VerifyBeside {
    private static final System.Logger LOG = System.getLogger(VerifyBeside.class.getName());

    private final Door door;
    private final Consumer<String> report;
    private final CommandStop stop;

    VerifyBeside(Door door, Consumer<String> report, CommandStop stop) {
        this.door = door;
        this.report = report;
        this.stop = stop;
    }

    /**
     * One after the other, as the stream stands still for each; what was found in one does not depend on the others.
     *
     * @param mends has what differs read again
     * @return whether any differs, or else the first reason why one was not compared
     */
    ExitCode run(List<RelationName> tables, boolean mends) {
        Optional<ExitCode> notCompared = Optional.empty();
        List<RelationName> different = new ArrayList<>();
        for (RelationName table : tables) {
            try {
                if (stop.isAsked()) throw stop.asked();
                if (differs(table)) different.add(table);
            } catch (Door.Shut shut) {
                // Nobody answers at all: what that means is the caller's to say.
                if (shut.exit() == ExitCode.UNREACHABLE && table.equals(tables.getFirst())) throw shut;
                LOG.log(
                        Level.ERROR,
                        "not compared table={0} why=\"{1}\" remedy=\"{2}\"",
                        table,
                        shut.getMessage(),
                        shut.remedy());
                notCompared = notCompared.or(() -> Optional.of(shut.exit()));
            }
        }
        if (different.isEmpty()) return notCompared.orElse(ExitCode.DRAINED);
        if (!mends) return ExitCode.DIFFERENT; // whatever became of the others
        Optional<ExitCode> notMended = mend(different);
        return notCompared.or(() -> notMended).orElse(ExitCode.DRAINED);
    }

    /** @throws Door.Shut if it was not compared */
    private boolean differs(RelationName table) {
        DoorReply outcome = outcome(table);
        if (outcome.text("state").equals(VerifyReply.COMPARED)) return tell(outcome);
        throw new Door.Shut(
                exit(outcome),
                outcome.findText("why").orElse(""),
                outcome.findText("remedy").orElse(""));
    }

    /** Each, whatever becomes of the others. Returns the first reason why one was not. */
    private Optional<ExitCode> mend(List<RelationName> tables) {
        var resync = new ResyncBeside(door, report, stop);
        Optional<ExitCode> notMended = Optional.empty();
        for (RelationName table : tables) {
            try {
                if (stop.isAsked()) throw stop.asked();
                resync.run(table);
            } catch (Door.Shut shut) {
                LOG.log(
                        Level.ERROR,
                        "not mended table={0} why=\"{1}\" remedy=\"{2}\"",
                        table,
                        shut.getMessage(),
                        shut.remedy());
                notMended = notMended.or(() -> Optional.of(shut.exit()));
            }
        }
        return notMended;
    }

    private DoorReply outcome(RelationName table) {
        DoorReply now = door.post(quoted(table), "verify");
        while (now.text("state").equals(VerifyReply.UNDER_WAY)) {
            stop.pause();
            now = door.get(quoted(table), "verify");
        }
        return now;
    }

    /** Returns whether they differ. */
    private boolean tell(DoorReply outcome) {
        DoorReply found = outcome.object("found");
        found.texts("lines").forEach(report);
        LOG.log(
                Level.INFO,
                "compared table={0} beside={1} held_ms={2}",
                outcome.text("table"),
                door.address(),
                outcome.findNumber("heldMillis").map(String::valueOf).orElse("unknown"));
        return found.number("missing") + found.number("extra") + found.number("different") > 0;
    }

    private static ExitCode exit(DoorReply outcome) {
        long code = outcome.findNumber("exit").orElse((long) ExitCode.TEMPORARY.code());
        for (ExitCode exit : ExitCode.values()) {
            if (exit.code() == code) return exit;
        }
        return ExitCode.TEMPORARY;
    }

    /** As in the configuration, whatever is in it. */
    static String quoted(RelationName table) {
        return "\"%s\".\"%s\""
                .formatted(table.schema().replace("\"", "\"\""), table.table().replace("\"", "\"\""));
    }
}
