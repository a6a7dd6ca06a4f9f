package tidemark.delivery;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tidemark.delivery.ColumnEncoding.Loss;
import tidemark.delivery.ColumnEncoding.Mapped;
import tidemark.delivery.ColumnEncoding.Refused;
import tidemark.replication.TypeShape;
import tidemark.sink.FelderaTable.ColumnType;

/** docs/types.md, made by asking {@link ColumnEncoding} about every pair of types. */
final class TypesPage {
    private static final String HEAD = """
            # Types

            <!-- Generated from ColumnEncoding; a test fails when it is stale. Anew: -Dtidemark.docs=write -->

            For every column the PostgreSQL type and the Feldera type decide how its values go: once, when the table is
            checked at the start and again at every RELATION message, never by a value. The copy and the stream take the
            same way. Text is PostgreSQL's own, under settings that our sessions pin (TimeZone UTC, DateStyle ISO,
            IntervalStyle iso_8601, bytea_output hex, lc_monetary C, UTF-8): digits are copied, never parsed and printed
            again, and neither locale nor default charset has a say.

            - A **domain** goes as the type beneath it, however deep, in arrays and composites too.
            - **CHAR and VARCHAR take the text of any type**, unchanged, BINARY and VARBINARY the bytes of a bytea. Feldera
              checks no length: what is longer than declared arrives whole, and the start says so.
            - **VARIANT takes any type**: numbers as JSON numbers, booleans, json and jsonb as they are, arrays, composites
              and hstore as JSON of their parts, everything else as a string of its text.
            - What is not in the table is refused at the start by table and column, with a remedy; so is a type that changes
              while streaming, at the row where it does. Nothing is converted by guess.
            - An **array** has its dimensions and bounds in every value, and its type says nothing of them. ARRAY takes
              values of one dimension, ARRAY ARRAY of two; bounds are left out; `{}` is `[]` anywhere.
            - A **composite** goes into ROW by the names of its fields, folded as column names are. PostgreSQL sends its fields
              without their names, and says nothing when they change: where a value has not as many as the catalog showed, the
              catalog is asked again. So rows from after `ALTER TYPE … ADD ATTRIBUTE` arrive, and rows from before it have
              null for what was added, in a table with a key: without one, they stop the connector; fields that are left
              after `DROP ATTRIBUTE` keep their names. A row from before a DROP stops the connector, as which field is which
              is not known any more: have the table copied again. What has as many fields and is not the same type cannot be
              told by its rows: a field that is dropped and added again, or renamed, is a
              [drift](operations.md#what-the-stream-does-not-tell), and rows in between may have gone under the old names.
            - An **enum** is the text of its label, a label added while streaming too. After RENAME VALUE, rows that nobody
              updates keep the old label, which is a drift.
            - Types of **extensions** are known by name, since their oids differ from database to database: citext, pgvector's
              and PostGIS's go as their text.

            ## What Feldera cannot hold

            NaN and infinities, years outside 0001 to 9999, 24:00:00, more digits before the point than a DECIMAL has, an
            array of other dimensions: `values.unrepresentable` decides.

            - `null` (default): the value goes as null. In an array, a ROW or a MAP only the element, field or value does,
              where Feldera lets it be null; else the whole value does.
            - `fail`, a NOT NULL column, and a column of Feldera's key: the connector stops by table and column.

            Each such value is counted by table and column, once if several parts of it went as null. The first of a column
            is logged with `key_md5`, which finds the row: `WHERE left(md5(concat_ws(',', key columns)), 8) = '…'`.

            Always refused, whatever the setting: a value outside an integer type that is narrower than PostgreSQL's, text that
            is not UTF-8, text in another style than the pinned settings print. A `\\u0000` escape and characters of any
            script arrive. In json and jsonb, for a VARIANT, text that is not UTF-8 and a lone surrogate escape, which Feldera
            would refuse, are unrepresentable. So is an object, of json or of an hstore in a VARIANT, whose first key is
            `$serde_json::private::Number`: Feldera would read it as a number. A composite whose first field has that name
            is refused at the start for a VARIANT.

            In a **key** two rows must not become one: a type that would merge two keys is refused at the start, an array with
            shifted bounds or a DECIMAL that would be cut at its row.

            """;

    private TypesPage() {}

    /** By how a reader looks them up; a name in capitals stands for itself. */
    private static Map<String, ColumnType> targets() {
        Map<String, ColumnType> targets = new LinkedHashMap<>();
        for (String declared : List.of(
                "BOOLEAN",
                "SMALLINT",
                "INTEGER",
                "BIGINT",
                "DECIMAL(38, 10)",
                "REAL",
                "DOUBLE",
                "VARCHAR",
                "DATE",
                "TIME",
                "TIMESTAMP",
                "TIMESTAMP_TZ",
                "UUID",
                "VARBINARY",
                "VARIANT")) {
            targets.put(declared, TableFixture.columnType(declared));
        }
        targets.put("ARRAY", TableFixture.columnType("VARCHAR ARRAY"));
        targets.put("MAP", TableFixture.columnType("MAP<VARCHAR!, VARCHAR>"));
        targets.put("ROW", TableFixture.columnType("ROW(x VARCHAR)"));
        return targets;
    }

    /** Every kind of type; the one that goes as text stands for all of {@link BuiltInTypes#AS_TEXT}. */
    private static Map<String, TypeShape> sources() {
        Map<String, TypeShape> sources = new LinkedHashMap<>();
        BuiltInTypes.NAMES.forEach((type, name) -> sources.put(name, scalar(type, name, -1)));
        int numeric12v2 = (12 << 16 | 2) + 4;
        sources.put("numeric(12,2)", scalar(PgType.NUMERIC, "numeric", numeric12v2));
        sources.put("numeric(12,0)", scalar(PgType.NUMERIC, "numeric", (12 << 16) + 4));
        sources.put("hstore", new TypeShape.Scalar(1 << 20, "hstore", -1, "hstore"));
        TypeShape text = scalar(PgType.OTHER, "text", -1);
        sources.put("array", new TypeShape.Array("text[]", text, ','));
        sources.put("composite", new TypeShape.Composite("pair", List.of(new TypeShape.Field("x", text)), true));
        sources.put("every other type", text);
        return sources;
    }

    private static TypeShape scalar(PgType type, String name, int modifier) {
        return new TypeShape.Scalar(type.oid(), name, modifier, "");
    }

    static String text() {
        return HEAD + matrix() + others() + refusals() + details() + report();
    }

    private static String matrix() {
        Map<String, List<String>> namesByCells = new LinkedHashMap<>();
        sources()
                .forEach((name, type) -> namesByCells
                        .computeIfAbsent(
                                targets().values().stream()
                                        .map(target -> cell(ColumnEncoding.of(type, target, false)))
                                        .collect(Collectors.joining(" | ")),
                                _ -> new ArrayList<>())
                        .add(name));
        var page = new StringBuilder("## Which type goes into which\n\n");
        page.append("| PostgreSQL | ")
                .append(String.join(" | ", targets().keySet()))
                .append(" |\n|---|")
                .append("---|".repeat(targets().size()))
                .append('\n');
        namesByCells.forEach((cells, names) -> page.append("| %s | %s |\n".formatted(String.join(", ", names), cells)));
        return page + """

                `–` is refused. `*`: not every value arrives, or not as it was; the start says so, and the list below what it
                is. TINYINT and the unsigned types are as the other integers, within their ranges; CHAR as VARCHAR, BINARY as
                VARBINARY. An array goes into ARRAY if its elements go into the element type, a composite into ROW if its fields
                do, hstore into MAP with VARCHAR keys and VARCHAR or VARIANT values.

                """;
    }

    private static String cell(ColumnEncoding encoding) {
        return switch (encoding) {
            case Refused _ -> "–";
            case Mapped(ValueEncoder encoder, Loss.None _) -> form(encoder);
            case Mapped(ValueEncoder encoder, Loss.Range _) -> form(encoder) + "*";
            case Mapped(ValueEncoder encoder, Loss.Digits _) -> form(encoder) + "*";
        };
    }

    private static String form(ValueEncoder encoder) {
        return switch (encoder) {
            case ArrayValue _ -> "array";
            case BooleanValue _ -> "true, false";
            case BytesValue _ -> "bytes";
            case DateValue _, TimeValue _ -> "text";
            case DecimalValue _, FloatDecimalValue _, MoneyValue _ -> "digits";
            case FloatValue _, IntegerValue _, JsonNumberValue _, WholeNumericValue _ -> "number";
            case JsonValue _ -> "verbatim";
            case MapValue _, RowValue _ -> "object";
            case TextValue _ -> "text";
            case TimestampValue(boolean zoned) -> zoned ? "text, `+00` as `+00:00`" : "text";
        };
    }

    private static String others() {
        return "Every other type is text: %s, enums, ranges and multiranges, and those of extensions.\n\n"
                .formatted(BuiltInTypes.AS_TEXT.stream().map("`%s`"::formatted).collect(Collectors.joining(", ")));
    }

    private static String refusals() {
        Map<String, List<String>> namesByRest = new LinkedHashMap<>();
        sources().forEach((name, type) -> {
            Map<String, List<String>> targetsByReason = new LinkedHashMap<>();
            targets().forEach((declared, target) -> {
                if (ColumnEncoding.of(type, target, false) instanceof Refused(String reason, String _)
                        && reason.contains(": ")) {
                    targetsByReason
                            .computeIfAbsent(reason.substring(reason.indexOf(": ")), _ -> new ArrayList<>())
                            .add(declared);
                }
            });
            targetsByReason.forEach((reason, declared) -> namesByRest
                    .computeIfAbsent(String.join(", ", declared) + reason, _ -> new ArrayList<>())
                    .add(name));
        });
        var page = new StringBuilder("Refused, although it might seem to fit:\n\n");
        namesByRest.forEach((rest, names) -> page.append("- %s into %s\n".formatted(String.join(", ", names), rest)));
        return page + """
                - interval: Feldera can hold no INTERVAL in a table
                - a composite into MAP: its fields have types of their own, the values of a MAP one

                """;
    }

    private static String details() {
        Map<String, List<String>> namesByRest = new LinkedHashMap<>();
        sources()
                .forEach((name, type) -> targets().forEach((declared, target) -> {
                    if (ColumnEncoding.of(type, target, false) instanceof Mapped(ValueEncoder encoder, Loss loss)
                            && !(encoder instanceof TextValue)
                            && !(lost(loss) + encoder.limit()).isEmpty()) {
                        String rest = "%s | %s | %s".formatted(declared, lost(loss), encoder.limit());
                        namesByRest
                                .computeIfAbsent(rest, _ -> new ArrayList<>())
                                .add(name);
                    }
                }));
        var page = new StringBuilder("## What does not arrive as it was\n\n");
        page.append("| PostgreSQL | Feldera | said at the start | values that are not sent |\n|---|---|---|---|\n");
        namesByRest.forEach((rest, names) -> page.append("| %s | %s |\n".formatted(String.join(", ", names), rest)));
        return page
                + "\nWhat goes as text is sent unless it is not UTF-8, as a database with encoding SQL_ASCII lets in.\n\n";
    }

    private static String lost(Loss loss) {
        return switch (loss) {
            case Loss.None _ -> "";
            case Loss.Range(String what) -> what;
            case Loss.Digits(String what) -> what;
        };
    }

    private static String report() {
        List<String> lines = new ArrayList<>(StartReport.eightProblems());
        return """
                ## A start that is refused

                All problems at once, one line each, before anything is written:

                ```
                %s
                ```
                """.formatted(String.join("\n", lines));
    }
}
