package tidemark.delivery;

import java.util.List;

/** Text, bytes and documents of the round trip. */
final class TextTrips {
    private static final String DEEPEST = "repeat('[', 120) || repeat(']', 120)";
    private static final String TOO_DEEP = "repeat('[', 121) || repeat(']', 121)";

    private TextTrips() {}

    static List<TypeTrip> all() {
        return List.of(text(), varchar(), bpchar(), name(), character(), bytea(), uuid(), json(), jsonb());
    }

    private static TypeTrip text() {
        return TypeTrip.of(
                        "text",
                        "text",
                        "gen.chars(g, 'v', 60)",
                        "''",
                        "gen.hard_text()",
                        "' '",
                        "'NULL'",
                        "'null'",
                        "E'\\\\N'",
                        "E'\\\\.'",
                        "E'a\\\\\\\\b\\\"c'",
                        "E'\\n'",
                        "E'\\r\\n\\t'",
                        "repeat('한국어 İstanbul ıI \"\\', 150)")
                .printed();
    }

    private static TypeTrip varchar() {
        return TypeTrip.of("varchar", "varchar(20)", "left(gen.chars(g, 'v', 30), 20)", "''", "'trailing  '")
                .into("VARCHAR(20)", "to_json(v::text)")
                .into("CHAR(20)", "to_json(v::text)")
                .printed();
    }

    /** A cast of char(n) to text takes its blanks away; the output function does not. */
    private static TypeTrip bpchar() {
        return TypeTrip.of("char", "char(10)", "left(gen.chars(g, 'v', 10), 10)", "''", "'ab'", "'0123456789'", "'é'")
                .into("CHAR(10)", "to_json(rpad(v::text, 10))")
                .printed();
    }

    private static TypeTrip name() {
        return TypeTrip.of("name", "name", "gen.chars(g, 'v', 15)", "''", "repeat('n', 63)")
                .printed();
    }

    private static TypeTrip character() {
        return TypeTrip.of("letter", "\"char\"", "chr(1 + gen.below(g, 'v', 127)::int)", "''", "'\"'", "'a'")
                .printed();
    }

    private static TypeTrip bytea() {
        return TypeTrip.of(
                        "bytea",
                        "bytea",
                        "gen.bytes(g, 'v', gen.below(g, 'length', 50)::int)",
                        "''",
                        "'\\x00'",
                        "gen.every_byte()",
                        "'\\x5c'",
                        "'\\x0aff'",
                        "gen.bytes(1, 'long', 3000)")
                .into("VARBINARY", "to_json(encode(v, 'hex'))")
                .into("BINARY(50)", "to_json(encode(v, 'hex'))")
                .printed();
    }

    private static TypeTrip uuid() {
        return TypeTrip.of(
                        "uuid",
                        "uuid",
                        "md5(gen.hash(g, 'v')::text)",
                        "repeat('0', 32)",
                        "repeat('F', 32)",
                        "'{550E8400-e29b-41d4-a716-446655440000}'")
                .into("UUID", "to_json(v)")
                .printed();
    }

    private static TypeTrip json() {
        return TypeTrip.of(
                        "json",
                        "json",
                        "E'\\r\\n {\"v\" :\\t' || gen.document(g, 'v', 4)::text"
                                + " || E',\"e\":[1e2,-0.0,-0,1E+3,1e-7,\"\\\\u00e9\\\\ud83d\\\\ude00\\\\/\\\\b\"] }\\t'",
                        "'{}'",
                        "'[]'",
                        "'\"\"'",
                        "' null '",
                        "'[null]'",
                        "'{\"a\": 1, \"b\": 2, \"a\": 3}'",
                        "'[1e400]'",
                        "'[-' || repeat('9', 39) || ']'",
                        "'[' || repeat('9', 38) || ']'",
                        "'[\"\\ud800\"]'",
                        "'{\"\\udc00\\ud800\": 1}'",
                        "'[\"\\uD83D\\uDE00\"]'",
                        "'[\"\\\\ud800\"]'",
                        "'[\"\\u0000\\u001f\\u007f\"]'",
                        "to_json(gen.hard_text())",
                        DEEPEST,
                        TOO_DEEP)
                .intoText()
                .intoVariant(TripTarget.FITTING);
    }

    private static TypeTrip jsonb() {
        return TypeTrip.of(
                        "jsonb",
                        "jsonb",
                        "gen.document(g, 'v', 5)",
                        "'{}'",
                        "'[]'",
                        "'\"\"'",
                        "'null'",
                        "'[null]'",
                        "'true'",
                        "'{\"\": {\"b\": [1.50, -0.0, 1e2]}, \"a\": null}'",
                        "'[1e400]'",
                        "'[-' || repeat('9', 39) || ']'",
                        "'[' || repeat('9', 38) || ']'",
                        "'[\"\\uD83D\\uDE00\"]'",
                        "to_jsonb(gen.hard_text())",
                        DEEPEST,
                        TOO_DEEP)
                .intoText()
                .intoVariant(TripTarget.FITTING);
    }
}
