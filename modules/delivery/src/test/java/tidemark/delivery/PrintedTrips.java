package tidemark.delivery;

import java.util.List;

/** The types of the round trip that go as PostgreSQL prints them. */
final class PrintedTrips {
    private static final String POINT = "point(gen.double(g, 'x', 40), gen.double(g, 'y', 40))";
    private static final String OTHER_POINT = "point(gen.double(g, 'u', 40), gen.double(g, 'w', 40))";
    private static final String POINTS = POINT + " || ',' || " + OTHER_POINT;

    private PrintedTrips() {}

    static List<TypeTrip> all() {
        return List.of(
                printed("inet", "inet", inet(), "'0.0.0.0/0'", "'::'", "'::ffff:1.2.3.4/128'", "'10.1.2.3/8'"),
                printed("cidr", "cidr", "network((" + inet() + ")::inet)", "'0.0.0.0/0'", "'::/0'"),
                printed("macaddr", "macaddr", "left(md5(gen.hash(g, 'v')::text), 12)", "'00:00:00:00:00:00'"),
                printed("macaddr8", "macaddr8", "left(md5(gen.hash(g, 'v')::text), 16)", "'ff:ff:ff:ff:ff:ff:ff:ff'"),
                printed("bit", "bit(13)", "gen.hash(g, 'v')::bit(64)", "repeat('0', 13)", "repeat('1', 13)"),
                printed(
                        "varbit",
                        "varbit",
                        "left((gen.hash(g, 'v')::bit(64))::text, gen.below(g, 'n', 65)::int)",
                        "''"),
                printed("point", "point", POINT, "'(NaN,Infinity)'", "'(-0,1e-300)'"),
                printed("line", "line", "'{1,' || gen.double(g, 'b', 40) || ',' || gen.double(g, 'c', 40) || '}'"),
                printed("lseg", "lseg", "lseg(" + POINT + ", " + OTHER_POINT + ")"),
                printed("box", "box", "box(" + POINT + ", " + OTHER_POINT + ")"),
                printed(
                        "path",
                        "path",
                        "gen.pick(g, 'open', '[', '(') || " + POINTS + " || gen.pick(g, 'open', ']', ')')"),
                printed("polygon", "polygon", "'(' || " + POINTS + " || ')'"),
                printed("circle", "circle", "circle(" + POINT + ", abs(gen.double(g, 'r', 40)))"),
                printed("int4range", "int4range", int4range("g"), "'empty'", "'(,)'", "'[1,)'"),
                printed("int8range", "int8range", range("int8range", "gen.whole(g, 'x') / 2", "gen.whole(g, 'y') / 2")),
                printed(
                        "numrange",
                        "numrange",
                        range("numrange", "gen.decimal(g, 'x', 20, 9)", "gen.decimal(g, 'y', 20, 9)"),
                        "'[-Infinity,Infinity]'",
                        "'(,NaN)'"),
                printed(
                        "tsrange",
                        "tsrange",
                        range("tsrange", "gen.moment(g, 'x')", "gen.moment(g, 'y')"),
                        "'(,infinity]'"),
                printed(
                        "tstzrange",
                        "tstzrange",
                        range(
                                "tstzrange",
                                "gen.moment(g, 'x') AT TIME ZONE 'UTC'",
                                "gen.moment(g, 'y') AT TIME ZONE 'UTC'")),
                printed(
                        "daterange",
                        "daterange",
                        range("daterange", "gen.day(g, 'x')", "gen.day(g, 'y')"),
                        "'[,infinity)'"),
                printed(
                        "textrange",
                        "gen.textrange",
                        range("gen.textrange", "gen.chars(g, 'x', 6)", "gen.chars(g, 'y', 6)"),
                        "'[\"\",\"a\\\\\"\"b\")'"),
                printed(
                        "multirange",
                        "int4multirange",
                        "int4multirange(%s, %s)".formatted(int4range("g"), int4range("-g")),
                        "'{}'"),
                printed(
                        "tsvector",
                        "tsvector",
                        "setweight(array_to_tsvector(ARRAY['x' || gen.chars(g, 'v', 9), 'y']), 'A')"
                                + " || to_tsvector('pg_catalog.simple', gen.chars(g, 'w', 20))",
                        "''",
                        "E'\\'a b\\':1A,2B \\'it\\'\\'s\\' \\'back\\\\\\\\slash\\''"),
                printed(
                        "tsquery",
                        "tsquery",
                        "phraseto_tsquery('pg_catalog.simple', gen.chars(g, 'v', 20))",
                        "'!a & (b | c:*A)'"),
                printed(
                        "pg_lsn",
                        "pg_lsn",
                        "'0/0'::pg_lsn + gen.below(g, 'v', 9223372036854775807)",
                        "'FFFFFFFF/FFFFFFFF'"),
                printed("xid8", "xid8", "gen.below(g, 'v', 9223372036854775807)::text", "'18446744073709551615'"),
                printed("tid", "tid", "'(' || gen.below(g, 'b', 4294967296) || ',' || gen.below(g, 'o', 65536) || ')'"),
                printed(
                        "regclass",
                        "regclass",
                        "gen.pick(g, 'v', 'pg_catalog.pg_class', 'gen.\"Odd \"\"name\"\"\"', 'gen.kinds')",
                        "0",
                        "4294967295"),
                printed("regtype", "regtype", "gen.pick(g, 'v', 'int4', 'gen.mood', 'text[]')"),
                printed("jsonpath", "jsonpath", "'$.' || to_json('k' || gen.chars(g, 'v', 9)) || '[*] ? (@ > 1)'"),
                printed("citext", "gen.citext", "gen.chars(g, 'v', 20)", "''", "'İIıi'"),
                printed("ltree", "gen.ltree", "'a' || gen.below(g, 'a', 100) || '.B_' || gen.below(g, 'b', 100)", "''"),
                printed("cube", "gen.cube", "gen.cube(ARRAY[gen.double(g, 'x', 9), gen.double(g, 'y', 9)])"),
                printed("mood", "gen.mood", "(enum_range(NULL::gen.mood))[1 + gen.below(g, 'v', 7)]"));
    }

    private static TypeTrip printed(String name, String type, String generated, String... edges) {
        return TypeTrip.of(name, type, generated, edges).printed();
    }

    /** With every pair of bounds. */
    private static String range(String constructor, String x, String y) {
        return "%1$s(least(%2$s, %3$s), greatest(%2$s, %3$s), gen.pick(g, 'bounds', '[)', '[]', '()', '(]'))"
                .formatted(constructor, x, y);
    }

    private static String int4range(String number) {
        return range(
                "int4range",
                "(gen.whole(%s, 'x') >> 33)::int".formatted(number),
                "(gen.whole(%s, 'y') >> 33)::int".formatted(number));
    }

    private static String inet() {
        return """
                CASE gen.below(g, 'v6', 2)
                WHEN 0 THEN concat_ws('.', gen.below(g, 'a', 256), gen.below(g, 'b', 256), gen.below(g, 'c', 256),
                    gen.below(g, 'd', 256)) || '/' || gen.below(g, 'n', 33)
                ELSE regexp_replace(md5(gen.hash(g, 'v')::text), '(....)(?=.)', '\\1:', 'g') || '/' || gen.below(g, 'n', 129)
                END""";
    }
}
