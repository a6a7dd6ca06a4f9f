package tidemark.app;

import jakarta.json.JsonObject;
import java.util.Optional;
import java.util.function.Consumer;
import tidemark.decode.RelationName;
import tidemark.delivery.ExitCode;

/** {@code tidemark resync}: has the running service read one table again, and waits until the table is whole. */
final class ResyncBeside {
    private final Door door;
    private final Consumer<String> report;
    private final CommandStop stop;

    ResyncBeside(Door door, Consumer<String> report, CommandStop stop) {
        this.door = door;
        this.report = report;
        this.stop = stop;
    }

    /** @param spelled as {@code tables} names it */
    ExitCode run(String spelled) {
        return await(spelled, door.post(spelled, "resync").getString("table"));
    }

    ExitCode run(RelationName table) {
        return run(VerifyBeside.quoted(table));
    }

    private ExitCode await(String spelled, String table) {
        while (true) {
            JsonObject status = door.statusObject();
            JsonObject stands = status.getJsonArray("tables").stream()
                    .map(JsonObject.class::cast)
                    .filter(one -> one.getString("postgres").equals(table))
                    .findFirst()
                    .orElseThrow(() -> gone(table, "it is not in its status any more"));
            Optional<ExitCode> over = over(spelled, table, status, stands);
            if (over.isPresent()) return over.get();
            stop.pause();
        }
    }

    /** Empty while it is under way. */
    private Optional<ExitCode> over(String spelled, String table, JsonObject status, JsonObject stands) {
        JsonObject resync = stands.getJsonObject("resync");
        if (resync == null) throw gone(table, "the service was started again");
        return switch (resync.getString("state")) {
            case "done" -> {
                long missing = resync.getJsonNumber("missing").longValue();
                long different = resync.getJsonNumber("different").longValue();
                long extra = resync.getJsonNumber("extra").longValue();
                report.accept("%s: %,d rows read again, %,d missing, %,d extra, %,d different: mended by %,d operations"
                        .formatted(
                                table,
                                resync.getJsonNumber("rows").longValue(),
                                missing,
                                extra,
                                different,
                                missing + extra + different));
                yield Optional.of(ExitCode.DRAINED);
            }
            case "failed" -> throw gone(table, resync.getString("why", "it failed"));
            case "interrupted" -> askAgain(spelled, status, stands);
            default -> Optional.empty();
        };
    }

    /** The next session merges it, if this one came so far as to leave word of it: asked again, it is known. */
    private Optional<ExitCode> askAgain(String spelled, JsonObject status, JsonObject stands) {
        boolean streams = status.getString("phase").equals("streaming")
                && stands.getString("state").equals("streaming");
        if (streams) door.post(spelled, "resync");
        return Optional.empty();
    }

    private static Door.Shut gone(String table, String why) {
        return new Door.Shut(
                ExitCode.TEMPORARY,
                "%s was not read again: %s".formatted(table, why),
                "look at the service's log, and ask again");
    }
}
