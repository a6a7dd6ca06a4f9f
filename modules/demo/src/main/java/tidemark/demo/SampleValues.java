package tidemark.demo;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Values as SQL literals, chosen to break what is easily broken: quotes, escapes, control characters and astral
 * characters in text, exact numerics, shortest floats, microseconds, empty against null.
 *
 * <p>Deterministic from the random source it is given. Not thread safe; owned by the workload.
 */
final class SampleValues {
    private static final String[] WORDS = {
        "tide",
        "mark",
        "Größe",
        "naïve",
        "雪",
        "海の水",
        "\uD83C\uDF0A",
        "e\u0301",
        "\u05E9\u05DC\u05D5\u05DD",
        "a\"b",
        "it's",
        "back\\slash",
        "\\n",
        "new\nline",
        "tab\there",
        "\u0001",
        "\u007F",
        "\u2028",
        "\r",
        "{\"json\":1}",
        "NULL",
        "\\N",
        " ",
        ""
    };
    private static final String[] FLOATS = {
        "0", "-0", "0.1", "1e-7", "5e-324", "1.7976931348623157e308", "123456789012345680000", "0.30000000000000004"
    };
    private static final long DOUBLE_DIGITS = 1_000_000_000_000_000L;
    private static final String[] REALS = {"0", "0.1", "16777216", "3.4028235e38", "1e-45", "-2.5"};

    private final RandomGenerator random;

    SampleValues(RandomGenerator random) {
        this.random = random;
    }

    /** One time in eight, NULL. */
    String orNull(String literal) {
        return random.nextInt(8) == 0 ? "NULL" : literal;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (int words = random.nextInt(4); words >= 0; words--) {
            text.append(WORDS[random.nextInt(WORDS.length)]).append(words > 0 ? " " : "");
        }
        return quoted(text.toString());
    }

    String bool() {
        return random.nextBoolean() ? "true" : "false";
    }

    String integer(int bound) {
        return Integer.toString(random.nextInt(-bound, bound));
    }

    /** Up to {@code digits} digits, {@code scale} of them after the point. */
    String decimal(int digits, int scale) {
        BigInteger unscaled = new BigInteger(random.nextInt(1, digits * 33 / 10), Random.from(random));
        return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale).toPlainString();
    }

    /** Of at most 15 digits: beyond, Feldera's JSON parser rounds twice and may change the last bit. */
    String doublePrecision() {
        return quoted(
                random.nextInt(6) == 0
                        ? FLOATS[random.nextInt(FLOATS.length)]
                        : BigDecimal.valueOf(random.nextLong(-DOUBLE_DIGITS, DOUBLE_DIGITS), random.nextInt(16))
                                .toString());
    }

    String real() {
        return quoted(
                random.nextInt(6) == 0
                        ? REALS[random.nextInt(REALS.length)]
                        : Float.toString((float) random.nextGaussian()));
    }

    String date() {
        return "date '2000-01-01' + " + random.nextInt(-20_000, 20_000);
    }

    String time() {
        return "time '00:00' + %d * interval '1 microsecond'".formatted(random.nextLong(86_400_000_000L));
    }

    /** A moment between 1900 and 2100, to the microsecond; fits timestamp and, read as UTC, timestamptz. */
    String moment() {
        long micros = random.nextLong(-3_155_760_000_000_000L, 3_155_760_000_000_000L);
        return "timestamp '2000-01-01' + %d * interval '1 microsecond'".formatted(micros);
    }

    String bytea() {
        byte[] bytes = new byte[random.nextInt(24)];
        random.nextBytes(bytes);
        return "'\\x" + HexFormat.of().formatHex(bytes) + "'";
    }

    String jsonb() {
        return quoted(
                switch (random.nextInt(5)) {
                    case 0 -> "{}";
                    case 1 -> "[1, \"\\u00e9\", null, true, 1.50]";
                    case 2 -> "\"a \\\"string\\\"\"";
                    case 3 -> "12345678901234567890.5";
                    default ->
                        "{\"z\": {\"n\": %d, \"a\": []}, \"tags\": [\"x\", \"\\n\"], \"b\": null}"
                                .formatted(random.nextInt());
                });
    }

    UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
