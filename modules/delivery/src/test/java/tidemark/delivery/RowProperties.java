package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;

/**
 * Whatever PostgreSQL sends, the body is JSON, and every value is in it as it was. Replay one seed by its number in the
 * name.
 */
class RowProperties {
    private static final JsonReaderFactory JSON = Json.createReaderFactory(Map.of());
    private static final int SEEDS = 50;
    private static final int OPERATIONS = 60;

    /** The columns of the table, each with PostgreSQL's text of a random value. */
    private enum Kind {
        ID(23, "INTEGER!"),
        FLAG(16, "BOOLEAN"),
        COUNT(20, "BIGINT"),
        RATIO(701, "DOUBLE"),
        PRICE(1700, "DECIMAL(38,10)"),
        NAME(25, "VARCHAR"),
        BORN(1082, "DATE"),
        TOKEN(2950, "UUID"),
        BYTES(17, "VARBINARY"),
        DOCUMENT(3802, "VARIANT");

        final int oid;
        final String target;

        Kind(int oid, String target) {
            this.oid = oid;
            this.target = target;
        }

        String random(RandomGenerator random) {
            return switch (this) {
                case ID -> Integer.toString(random.nextInt(20));
                case FLAG -> random.nextBoolean() ? "t" : "f";
                case COUNT -> Long.toString(random.nextLong());
                case RATIO -> Double.toString(random.nextGaussian()).replace("E", "e");
                case PRICE -> new BigDecimal(new BigInteger(90, asRandom(random)), random.nextInt(11)).toPlainString();
                case NAME -> text(random);
                case BORN ->
                    LocalDate.of(1, 1, 1).plusDays(random.nextInt(3_652_058)).toString();
                case TOKEN -> new UUID(random.nextLong(), random.nextLong()).toString();
                case BYTES -> "\\x" + HexFormat.of().formatHex(bytes(random));
                case DOCUMENT ->
                    Json.createObjectBuilder()
                            .add(text(random), text(random))
                            .add("n", random.nextLong())
                            .build()
                            .toString();
            };
        }

        void assertArrived(String text, JsonValue arrived) {
            switch (this) {
                case ID, COUNT -> assertThat(arrived.toString()).isEqualTo(text);
                case RATIO -> assertThat(((JsonNumber) arrived).doubleValue()).isEqualTo(Double.parseDouble(text));
                case FLAG -> assertThat(arrived).isEqualTo(text.equals("t") ? JsonValue.TRUE : JsonValue.FALSE);
                case PRICE, NAME, BORN, TOKEN ->
                    assertThat(((JsonString) arrived).getString()).isEqualTo(text);
                case BYTES ->
                    assertThat(arrived.asJsonArray().getValuesAs(JsonNumber::intValue))
                            .isEqualTo(unsigned(HexFormat.of().parseHex(text.substring(2))));
                case DOCUMENT -> {
                    try (var reader = JSON.createReader(new StringReader(text))) {
                        assertThat(arrived).isEqualTo(reader.readValue());
                    }
                }
            }
        }
    }

    @TestFactory
    List<DynamicTest> everyBodyIsJsonAndEveryValueIsInIt() {
        var tests = new ArrayList<DynamicTest>();
        for (int seed = 0; seed < SEEDS; seed++) {
            long replay = seed;
            tests.add(DynamicTest.dynamicTest("seed " + seed, () -> runSeed(replay)));
        }
        return tests;
    }

    private static void runSeed(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var fixture = new TableFixture("t").key("id").identity(ReplicaIdentity.FULL);
        for (Kind kind : Kind.values()) fixture.both(kind == Kind.ID ? "id" : kind.name(), kind.oid, kind.target);
        RowEncoder encoder = fixture.streamEncoder();
        var out = new RowBytes(1 << 16);
        var expected = new ArrayList<String[]>();
        int written = 0;
        for (int i = 0; i < OPERATIONS; i++) {
            String[] row = row(random);
            written += write(encoder, random, row, out, expected);
        }
        assertThat(out.operations()).isEqualTo(written).isEqualTo(expected.size());
        assertBody(out, expected);
    }

    /** Any operation of PostgreSQL, or one that must be refused and leave nothing behind. */
    private static int write(
            RowEncoder encoder, RandomGenerator random, String[] row, RowBytes out, List<String[]> expected) {
        return switch (random.nextInt(4)) {
            case 0 -> {
                expected.add(row);
                yield encoder.insert(HandMadeTuple.row(row), out);
            }
            case 1 -> {
                String[] old = row(random);
                if (!old[0].equals(row[0])) expected.add(deleted(old));
                expected.add(row);
                yield encoder.update(new FullRow(HandMadeTuple.row(old)), HandMadeTuple.row(row), out);
            }
            case 2 -> {
                expected.add(deleted(row));
                yield encoder.delete(new PgOutputMessage.Key(HandMadeTuple.row(row)), out);
            }
            default -> {
                row[1 + random.nextInt(row.length - 1)] = HandMadeTuple.UNCHANGED;
                if (random.nextBoolean()) yield leftAloneUnderANewKey(encoder, row, out);
                expected.add(row);
                yield encoder.update(new Absent(), HandMadeTuple.row(row), out);
            }
        };
    }

    private static int leftAloneUnderANewKey(RowEncoder encoder, String[] row, RowBytes out) {
        String[] old = row.clone();
        old[0] = "20";
        try {
            return encoder.update(new PgOutputMessage.Key(HandMadeTuple.row(old)), HandMadeTuple.row(row), out);
        } catch (RowRefused refused) {
            assertThat(refused).hasMessageContaining("REPLICA IDENTITY FULL");
            return 0;
        }
    }

    private static void assertBody(RowBytes out, List<String[]> expected) {
        JsonArray operations;
        try (var reader = JSON.createReader(new ByteArrayInputStream(out.array(), 0, out.length()))) {
            operations = reader.readArray();
        }
        assertThat(operations).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            String[] row = expected.get(i);
            boolean whole = !isLeftOut(row);
            JsonObject envelope = operations.getJsonObject(i);
            JsonObject arrived = envelope.getJsonObject(row.length == 1 ? "delete" : whole ? "insert" : "update");
            assertThat(arrived).hasSize(whole ? row.length : row.length - 1);
            for (int column = 0; column < row.length; column++) {
                if (!isLeftOut(row[column])) assertColumn(Kind.values()[column], row[column], arrived);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // HandMadeTuple.UNCHANGED is an object of its own
    private static boolean isLeftOut(String... row) {
        return Arrays.stream(row).anyMatch(text -> text == HandMadeTuple.UNCHANGED);
    }

    @SuppressWarnings("ReferenceEquality") // HandMadeTuple.NULL is an object of its own
    private static void assertColumn(Kind kind, String text, JsonObject arrived) {
        String name = kind == Kind.ID ? "id" : kind.name().toLowerCase(Locale.ROOT);
        JsonValue value = Optional.ofNullable(arrived.get(name)).orElseThrow();
        if (text == HandMadeTuple.NULL) {
            assertThat(value).isEqualTo(JsonValue.NULL);
        } else {
            kind.assertArrived(text, value);
        }
    }

    private static String[] deleted(String[] row) {
        return new String[] {row[0]};
    }

    private static String[] row(RandomGenerator random) {
        var row = new ArrayList<String>();
        for (Kind kind : Kind.values()) {
            boolean isNull = kind != Kind.ID && random.nextInt(6) == 0;
            row.add(isNull ? HandMadeTuple.NULL : kind.random(random));
        }
        return row.toArray(String[]::new);
    }

    private static String text(RandomGenerator random) {
        var text = new StringBuilder();
        int length = random.nextInt(40);
        for (int i = 0; i < length; i++) text.appendCodePoint(codePoint(random));
        return text.toString();
    }

    /** Mostly plain, often what needs care; never NUL or a surrogate, which PostgreSQL has in no text. */
    private static int codePoint(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt(1, 0x20);
            case 1 -> "\"\\/\u007f".codePointAt(random.nextInt(4));
            case 2 -> random.nextInt(0x80, 0xD800);
            case 3 -> random.nextInt(0xE000, 0x110000);
            default -> random.nextInt('a', 'z' + 1);
        };
    }

    private static byte[] bytes(RandomGenerator random) {
        var bytes = new byte[random.nextInt(30)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static List<Integer> unsigned(byte[] bytes) {
        var unsigned = new ArrayList<Integer>();
        for (byte one : bytes) unsigned.add(one & 0xFF);
        return unsigned;
    }

    private static Random asRandom(RandomGenerator random) {
        return Random.from(random);
    }
}
