package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.util.List;
import java.util.Map;

/**
 * A pipeline as it stood between two steps, no transaction open: rows, and with them the counters of the endpoints as
 * of what those rows contain. Immutable.
 *
 * @param code of the program that it is of
 */
record Checkpoint(
        String uuid,
        String code,
        long steps,
        long processedRecords,
        List<Endpoint.Image> endpoints,
        Map<String, TableContent> tables) {

    /** As {@code /checkpoints} lists it; the size counts rows, the stand-in has no files. */
    JsonObjectBuilder json() {
        return Json.createObjectBuilder()
                .add("uuid", uuid)
                .addNull("identifier")
                .add("fingerprint", 0)
                .add(
                        "size",
                        tables.values().stream()
                                .mapToLong(table -> table.store().count())
                                .sum())
                .add("steps", steps)
                .add("processed_records", processedRecords);
    }
}
