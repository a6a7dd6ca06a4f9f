package tidemark.delivery;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.EditionRead.KeySince;
import tidemark.replication.TableEdition;

/**
 * A table's edition in the state file: written with every mark, so columns and partitions are arrays without names. A
 * Tidemark that kept no unique keys wrote none, and then it is not known when they came.
 */
final class EditionJson {
    /**
     * Older files have fewer marks of a column: these are what a Tidemark wrote that did not look at fields, or labels.
     */
    private static final int COLUMN_WITHOUT_FIELDS = 5;

    private static final int COLUMN_WITHOUT_LABELS = 6;

    /** Of these, which ones came later was not kept either. */
    private static final int STORE_WITHOUT_ATTACHED = 4;

    /** What is not in the WAL is told of one that is not. */
    private static final int STORE_IN_WAL = 5;

    private EditionJson() {}

    static JsonObjectBuilder encode(EditionRead read) {
        TableEdition edition = read.edition();
        JsonArrayBuilder columns = Json.createArrayBuilder();
        for (TableEdition.Column column : edition.columns()) columns.add(encoded(column));
        JsonObjectBuilder json = Json.createObjectBuilder();
        edition.membership().ifPresent(mark -> json.add("membership", mark));
        return json.add("columns", columns)
                .add("stores", stores(edition.stores()))
                .add("since", stores(read.since()))
                .add("keys", encoded(read.keys()));
    }

    private static JsonObjectBuilder encoded(List<KeySince> keys) {
        JsonObjectBuilder json = Json.createObjectBuilder();
        for (KeySince key : keys) json.add(key.mark(), key.from().toString());
        return json;
    }

    private static JsonArrayBuilder encoded(TableEdition.Column column) {
        JsonArrayBuilder json = Json.createArrayBuilder()
                .add(column.number())
                .add(column.name())
                .add(Integer.toUnsignedLong(column.typeOid()))
                .add(column.typeModifier())
                .add(column.filled())
                .add(Json.createArrayBuilder(column.fields()));
        column.altered()
                .ifPresent(mark ->
                        json.add(Json.createArrayBuilder(column.labels())).add(mark));
        return json;
    }

    private static JsonArrayBuilder stores(List<TableEdition.Store> stores) {
        JsonArrayBuilder json = Json.createArrayBuilder();
        for (TableEdition.Store store : stores) {
            JsonArrayBuilder marks = Json.createArrayBuilder()
                    .add(Integer.toUnsignedLong(store.oid()))
                    .add(store.name())
                    .add(store.attachment())
                    .add(store.file())
                    .add(store.attached());
            json.add(store.logged() ? marks : marks.add(false));
        }
        return json;
    }

    static EditionRead decode(RelationName name, int oid, JsonObject json) {
        var edition = new TableEdition(
                name,
                oid,
                json.containsKey("membership") ? Optional.of(json.getString("membership")) : Optional.empty(),
                json.getJsonArray("columns").getValuesAs(EditionJson::column),
                json.getJsonArray("stores").getValuesAs(EditionJson::store),
                List.of());
        return new EditionRead(
                edition,
                json.containsKey("since") ? json.getJsonArray("since").getValuesAs(EditionJson::store) : List.of(),
                json.containsKey("keys") ? keys(json.getJsonObject("keys")) : List.of());
    }

    private static List<KeySince> keys(JsonObject json) {
        return json.keySet().stream()
                .map(mark -> new KeySince(mark, Lsn.parse(json.getString(mark))))
                .toList();
    }

    private static TableEdition.Column column(JsonArray column) {
        return new TableEdition.Column(
                column.getInt(0),
                column.getString(1),
                (int) column.getJsonNumber(2).longValueExact(),
                column.getInt(3),
                column.getBoolean(4),
                column.size() > COLUMN_WITHOUT_FIELDS
                        ? column.getJsonArray(5).getValuesAs(JsonString::getString)
                        : List.of(),
                column.size() > COLUMN_WITHOUT_LABELS
                        ? column.getJsonArray(6).getValuesAs(JsonString::getString)
                        : List.of(),
                column.size() > COLUMN_WITHOUT_LABELS
                        ? Optional.of(column.getJsonNumber(7).longValueExact())
                        : Optional.empty());
    }

    private static TableEdition.Store store(JsonArray store) {
        return new TableEdition.Store(
                (int) store.getJsonNumber(0).longValueExact(),
                store.getString(1),
                store.getString(2),
                store.getJsonNumber(3).longValueExact(),
                store.size() > STORE_WITHOUT_ATTACHED && store.getBoolean(4),
                store.size() <= STORE_IN_WAL || store.getBoolean(5));
    }
}
