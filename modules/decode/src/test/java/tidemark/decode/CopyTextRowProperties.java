package tidemark.decode;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import tidemark.decode.Tuple.ColumnKind;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class CopyTextRowProperties {
    private static final int ROWS = 20_000;
    private static final int COLUMNS_MAX = 6;
    private static final String ESCAPED = "\b\t\n\u000B\f\r\\";
    private static final String ESCAPES = "btnvfr\\";

    private final RandomGenerator random = Seed.random("CopyTextRowProperties");
    /** One for each width, as a copy has one for all its rows. */
    private final List<CopyTextRow> readers =
            IntStream.rangeClosed(0, COLUMNS_MAX).mapToObj(CopyTextRow::new).toList();

    @Test
    void readsWhatPostgresWrites() {
        for (int round = 0; round < ROWS; round++) {
            Tuple row = randomRow();
            byte[] written = written(row, false);
            byte[] untouched = written.clone();
            assertSame(readers.get(row.size()).read(written), row);
            assertThat(written).isEqualTo(untouched);
        }
    }

    @Test
    void readsEveryDocumentedSpelling() {
        for (int round = 0; round < ROWS; round++) {
            Tuple row = randomRow();
            assertSame(readers.get(row.size()).read(written(row, true)), row);
        }
    }

    @Test
    void refusesEveryTruncation() {
        for (int round = 0; round < ROWS / 10; round++) {
            Tuple row = randomRow();
            byte[] written = written(row, true);
            for (int length = 0; length < written.length; length++) {
                byte[] cut = Arrays.copyOf(written, length);
                assertThatExceptionOfType(MalformedMessage.class)
                        .isThrownBy(() -> readers.get(row.size()).read(cut));
            }
        }
    }

    @Test
    void readsAFlippedBitOrRefusesIt() {
        for (int round = 0; round < ROWS; round++) {
            Tuple row = randomRow();
            byte[] flipped = written(row, true);
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
            readsOrRefuses(flipped, row.size());
        }
    }

    @Test
    void readsNoiseOrRefusesIt() {
        for (int round = 0; round < ROWS; round++) {
            byte[] noise = new byte[1 + random.nextInt(30)];
            for (int at = 0; at < noise.length; at++) noise[at] = randomByte();
            noise[noise.length - 1] = '\n';
            readsOrRefuses(noise, random.nextInt(COLUMNS_MAX + 1));
        }
    }

    /** What is read has all columns, inside the buffer, and is read again from what it would be written as. */
    private void readsOrRefuses(byte[] bytes, int columns) {
        read(bytes, columns).ifPresent(tuple -> {
            assertThat(tuple.size()).isEqualTo(columns);
            assertSame(new CopyTextRow(columns).read(written(tuple, false)), tuple);
        });
    }

    private Optional<Tuple> read(byte[] bytes, int columns) {
        try {
            return Optional.of(readers.get(columns).read(bytes));
        } catch (MalformedMessage refused) {
            assertThat(refused.offset()).isBetween(0, bytes.length);
            return Optional.empty();
        }
    }

    private static void assertSame(Tuple actual, Tuple expected) {
        assertThat(actual.size()).isEqualTo(expected.size());
        for (int column = 0; column < actual.size(); column++) {
            assertThat(actual.kind(column)).isEqualTo(expected.kind(column));
            if (expected.kind(column) == ColumnKind.TEXT)
                assertThat(value(actual, column)).isEqualTo(value(expected, column));
        }
    }

    private static byte[] value(Tuple tuple, int column) {
        int start = tuple.start(column);
        return Arrays.copyOfRange(tuple.buffer(), start, start + tuple.length(column));
    }

    private Tuple randomRow() {
        byte[] buffer = new byte[60];
        for (int at = 0; at < buffer.length; at++) buffer[at] = randomByte();
        int columns = random.nextInt(COLUMNS_MAX + 1);
        ReusedTuple row = new ReusedTuple();
        row.begin(buffer, columns);
        for (int column = 0; column < columns; column++) {
            if (random.nextInt(5) == 0) row.addNull();
            else row.addText(random.nextInt(buffer.length - 12), random.nextInt(12));
        }
        return row;
    }

    /** Half of the bytes are ones that mean something in the format. */
    private byte randomByte() {
        String meaningful = ESCAPED + "\\Nx.07Ab";
        return (byte)
                (random.nextBoolean() ? random.nextInt(256) : meaningful.charAt(random.nextInt(meaningful.length())));
    }

    /** As the server's CopyAttributeOutText does; with {@code everySpelling}, also as its documentation allows. */
    private byte[] written(Tuple row, boolean everySpelling) {
        MessageBytes bytes = new MessageBytes();
        for (int column = 0; column < row.size(); column++) {
            if (column > 0) bytes.int8('\t');
            if (row.kind(column) == ColumnKind.NULL) bytes.int8('\\').int8('N');
            else for (byte value : value(row, column)) write(bytes, value, everySpelling ? random.nextInt(6) : 0);
        }
        return bytes.int8('\n').toArray();
    }

    private static void write(MessageBytes bytes, byte value, int spelling) {
        int escape = ESCAPED.indexOf(value);
        switch (spelling) {
            case 1 -> bytes.raw("\\%03o".formatted(value & 0xFF).getBytes(US_ASCII));
            case 2 -> bytes.raw("\\x%02X".formatted(value & 0xFF).getBytes(US_ASCII));
            default -> {
                if (escape >= 0) bytes.int8('\\').int8(ESCAPES.charAt(escape));
                else bytes.int8(value);
            }
        }
    }
}
