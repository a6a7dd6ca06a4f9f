package tidemark.app;

import jakarta.json.JsonObject;
import jakarta.json.JsonString;
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
            JsonObject outcome = outcome(table);
            if (state(outcome).equals(VerifyReply.COMPARED)) {
                if (tell(outcome)) different.add(table);
                continue;
            }
            LOG.log(
                    Level.ERROR,
                    "not compared table={0} why=\"{1}\" remedy=\"{2}\"",
                    table,
                    outcome.getString("why", ""),
                    outcome.getString("remedy", ""));
            notCompared = notCompared.or(() -> Optional.of(exit(outcome)));
        }
        if (different.isEmpty()) return notCompared.orElse(ExitCode.DRAINED);
        if (!mends) return ExitCode.DIFFERENT; // whatever became of the others
        Optional<ExitCode> notMended = mend(different);
        return notCompared.or(() -> notMended).orElse(ExitCode.DRAINED);
    }

    /** Each, whatever becomes of the others. Returns the first reason why one was not. */
    private Optional<ExitCode> mend(List<RelationName> tables) {
        var resync = new ResyncBeside(door, report, stop);
        Optional<ExitCode> notMended = Optional.empty();
        for (RelationName table : tables) {
            try {
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

    private JsonObject outcome(RelationName table) {
        JsonObject now = door.post(quoted(table), "verify");
        while (state(now).equals(VerifyReply.UNDER_WAY)) {
            stop.pause();
            now = door.get(quoted(table), "verify");
        }
        return now;
    }

    private String state(JsonObject outcome) {
        if (!outcome.containsKey("state")) throw door.strange();
        return outcome.getString("state");
    }

    /** Returns whether they differ. */
    private boolean tell(JsonObject outcome) {
        JsonObject found = outcome.getJsonObject("found");
        found.getJsonArray("lines").getValuesAs(JsonString.class).forEach(line -> report.accept(line.getString()));
        LOG.log(
                Level.INFO,
                "compared table={0} beside={1} held_ms={2}",
                outcome.getString("table"),
                door.address(),
                String.valueOf(outcome.getJsonNumber("heldMillis")));
        return found.getJsonNumber("missing").longValue()
                        + found.getJsonNumber("extra").longValue()
                        + found.getJsonNumber("different").longValue()
                > 0;
    }

    private static ExitCode exit(JsonObject outcome) {
        int code = outcome.getInt("exit", ExitCode.TEMPORARY.code());
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
