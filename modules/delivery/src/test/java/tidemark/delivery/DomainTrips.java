package tidemark.delivery;

import java.util.List;

/** Domains of the round trip: values as those of the type below them all. */
final class DomainTrips {
    private DomainTrips() {}

    static List<TypeTrip> all() {
        return List.of(
                TypeTrip.of("positive", "gen.positive", "1 + gen.below(g, 'v', 2147483647)", "1", "2147483647")
                        .into("INTEGER", "v::text")
                        .intoText()
                        .intoVariant("v::text"),
                TypeTrip.of("digit", "gen.digit", "1 + gen.below(g, 'v', 9)", "1", "9")
                        .into("SMALLINT", "v::text")
                        .intoText()
                        .intoVariant("v::text"),
                TypeTrip.of("euro", "gen.euro", "gen.decimal(g, 'v', 9, 3)", "'NaN'", "9999999999.99")
                        .into("DECIMAL(12,2)", "CASE WHEN gen.finite(v::text) THEN v::text END")
                        .intoText()
                        .intoVariant("CASE WHEN gen.finite(v::text) THEN v::text END"),
                TypeTrip.of("moment", "gen.moment_in_time", "gen.moment(g, 'v') AT TIME ZONE 'UTC'", "'infinity'")
                        .into(
                                "TIMESTAMP WITH TIME ZONE",
                                "CASE WHEN isfinite(v) AND extract(year FROM v) BETWEEN 1 AND 9999"
                                        + " THEN to_json(gen.shown(to_char(v, 'YYYY-MM-DD\"T\"HH24:MI:SS.US')) || 'Z') END")
                        .printed(),
                TypeTrip.of("document", "gen.document_text", "gen.document(g, 'v', 3)", "'null'", "'{}'")
                        .intoText()
                        .intoVariant(TripTarget.FITTING));
    }
}
