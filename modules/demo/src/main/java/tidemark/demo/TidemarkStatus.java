package tidemark.demo;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.delivery.ExitCode;
import tidemark.delivery.TableState;

/** What the demo shows of the service's {@code GET /status}; names as there ({@code tidemark.app.StatusReply}). */
record TidemarkStatus(
        String phase,
        String waitingFor,
        Lsn confirmed,
        Lsn walEnd,
        long lagBytes,
        long batchesInFlight,
        List<Table> tables) {

    record Table(
            String postgres,
            String feldera,
            String state,
            long copiedRows,
            long estimatedRows,
            long inserts,
            long updates,
            long deletes) {
        /** Since the service began: copied, inserted, updated and deleted. */
        long deliveredRows() {
            return copiedRows + inserts + updates + deletes;
        }

        /**
         * As it stands now, with what an earlier life of the service had streamed on top, and its copy if that was the
         * last.
         */
        Table plus(Table earlier) {
            return new Table(
                    postgres,
                    feldera,
                    state,
                    copiedRows > 0 ? copiedRows : earlier.copiedRows,
                    Math.max(estimatedRows, earlier.estimatedRows),
                    inserts + earlier.inserts,
                    updates + earlier.updates,
                    deletes + earlier.deletes);
        }

        boolean isStreaming() {
            return is(TableState.STREAMING);
        }

        /** What it has copied are rows then, of which there is an estimate; of a merge they are differences. */
        boolean isCopying() {
            return is(TableState.COPYING);
        }

        private boolean is(TableState now) {
            return state.equals(now.word());
        }

        /** It is on both sides. */
        boolean isWhole() {
            return isStreaming() || is(TableState.COPIED);
        }
    }

    /** @throws DemoFailure {@link ExitCode#PROTOCOL} when it is not a status */
    static TidemarkStatus parse(String json) {
        try (JsonReader reader = Json.createReader(new StringReader(json))) {
            JsonObject status = reader.readObject();
            JsonObject positions = status.getJsonObject("positions");
            return new TidemarkStatus(
                    status.getString("phase"),
                    text(status, "waitingFor").orElse(""),
                    Lsn.parse(positions.getString("confirmed")),
                    Lsn.parse(positions.getString("walEnd")),
                    number(status.getJsonObject("lag"), "bytes"),
                    number(status.getJsonObject("batches"), "inFlight"),
                    status.getJsonArray("tables").getValuesAs(TidemarkStatus::table));
        } catch (JsonException | IllegalArgumentException | ClassCastException | NullPointerException e) {
            throw new DemoFailure(ExitCode.PROTOCOL, "the service's /status is not what the demo expects", e);
        }
    }

    long deliveredRows() {
        return tables.stream().mapToLong(Table::deliveredRows).sum();
    }

    /** Nothing of what was committed at or before {@code target} is still to be delivered. */
    boolean isSettledAt(Lsn target) {
        return !target.isAfter(confirmed)
                && batchesInFlight == 0
                && !tables.isEmpty()
                && tables.stream().allMatch(Table::isStreaming);
    }

    private static Table table(JsonObject table) {
        return new Table(
                table.getString("postgres"),
                table.getString("feldera"),
                table.getString("state"),
                number(table, "copiedRows"),
                number(table, "estimatedRows"),
                number(table, "inserts"),
                number(table, "updates"),
                number(table, "deletes"));
    }

    private static Optional<String> text(JsonObject object, String name) {
        return object.get(name) instanceof JsonString string ? Optional.of(string.getString()) : Optional.empty();
    }

    private static long number(JsonObject object, String name) {
        return object.get(name) instanceof JsonNumber value ? value.longValueExact() : 0;
    }
}
