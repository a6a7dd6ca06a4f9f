package tidemark.delivery;

import java.util.List;

/** Dates and times of the round trip. */
final class TimeTrips {
    private static final String DATE_TIME = "to_json(gen.shown(to_char(v, 'YYYY-MM-DD\"T\"HH24:MI:SS.US')))";
    static final String IN_UTC = "to_json(gen.shown(to_char(v, 'YYYY-MM-DD\"T\"HH24:MI:SS.US')) || 'Z')";

    private TimeTrips() {}

    static List<TypeTrip> all() {
        return List.of(date(), time(), timetz(), timestamp(), timestamptz(), interval());
    }

    private static String inYears1To9999(String value, String zone) {
        return "CASE WHEN v >= '0001-01-01%1$s' AND v < '10000-01-01%1$s' THEN %2$s END".formatted(zone, value);
    }

    private static TypeTrip date() {
        return TypeTrip.of(
                        "date",
                        "date",
                        "gen.day(g, 'v')",
                        "'infinity'",
                        "'-infinity'",
                        "'0001-01-01'",
                        "'9999-12-31'",
                        "'10000-01-01'",
                        "'0001-12-31 BC'",
                        "'4713-01-01 BC'",
                        "'5874897-12-31'",
                        "'1582-10-10'",
                        "'2024-02-29'")
                .into("DATE", inYears1To9999("to_json(to_char(v, 'YYYY-MM-DD'))", ""))
                .printed();
    }

    private static TypeTrip time() {
        return TypeTrip.of(
                        "time",
                        "time",
                        "time '00:00' + gen.of_day(g, 'v')",
                        "'24:00:00'",
                        "'23:59:60'",
                        "'23:59:59.999999'",
                        "'00:00:00'",
                        "'00:00:00.000001'",
                        "'12:34:56.7'",
                        "'12:34:56.120'")
                .into("TIME", "CASE WHEN v < '24:00' THEN to_json(gen.shown(to_char(v, 'HH24:MI:SS.US'))) END")
                .printed();
    }

    private static TypeTrip timetz() {
        return TypeTrip.of(
                        "timetz",
                        "timetz",
                        "(time '00:00' + gen.of_day(g, 'v'))::text || gen.pick(g, 'zone', '+00', '-08', '+05:45', '+12:30:15')",
                        "'24:00:00-15:59:59'",
                        "'00:00:00+15:59:59'",
                        "'12:34:56.789+01'")
                .printed();
    }

    private static TypeTrip timestamp() {
        return TypeTrip.of(
                        "timestamp",
                        "timestamp",
                        "gen.moment(g, 'v')",
                        "'infinity'",
                        "'-infinity'",
                        "'0001-01-01 00:00:00'",
                        "'0001-12-31 23:59:59.999999 BC'",
                        "'9999-12-31 23:59:59.999999'",
                        "'10000-01-01 00:00:00'",
                        "'4713-01-01 00:00:00 BC'",
                        "'294276-12-31 23:59:59.999999'",
                        "'2024-02-29 23:59:60'",
                        "'2024-02-29 12:34:56.1'",
                        "'2024-02-29 12:34:56.000001'",
                        "'1969-12-31 23:59:59.999999'")
                .into("TIMESTAMP", inYears1To9999(DATE_TIME, ""))
                .printed();
    }

    private static TypeTrip timestamptz() {
        return TypeTrip.of(
                        "timestamptz",
                        "timestamptz",
                        "gen.moment(g, 'v') AT TIME ZONE 'UTC'",
                        "'infinity'",
                        "'-infinity'",
                        "'0001-01-01 00:00:00+00'",
                        "'0001-01-01 00:00:00+15:59'",
                        "'9999-12-31 23:59:59.999999+00'",
                        "'9999-12-31 23:59:59.999999-01'",
                        "'10000-01-01 00:00:00+01'",
                        "'294276-12-31 23:59:59.999999+00'",
                        "'2026-03-29 01:30:00+01'",
                        "'1890-01-01 00:00:00 Europe/Berlin'",
                        "'2024-02-29 12:34:56.1+05:45'",
                        "'1969-12-31 23:59:59.999999+00'")
                .into("TIMESTAMP WITH TIME ZONE", inYears1To9999(IN_UTC, "+00"))
                .into("TIMESTAMP", inYears1To9999(DATE_TIME, "+00"))
                .printed();
    }

    private static TypeTrip interval() {
        return TypeTrip.of(
                        "interval",
                        "interval",
                        "gen.of_day(g, 'v') * (gen.below(g, 'sign', 3) - 1) + (gen.whole(g, 'days') >> 40) * interval '1 day'"
                                + " + (gen.whole(g, 'months') >> 36) * interval '1 month'",
                        "'0'",
                        "'178000000 years'",
                        "'-178000000 years'",
                        "'1 microsecond'",
                        "'-1 microsecond'",
                        "'1 month -1 day 00:00:01'",
                        "'-1 year 2 months -3 days 4 hours -5 minutes 6.789 seconds'")
                .printed();
    }
}
