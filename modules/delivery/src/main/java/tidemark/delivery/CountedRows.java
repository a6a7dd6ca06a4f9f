package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidemark.sink.Problem;
import tidemark.sink.QueryRows;
import tidemark.sink.SinkFailure;

/**
 * Reads the answer to a {@link CountedSelect}. Its rows are whole only if the last object of the answer says how many
 * they are, and rightly: an empty answer, one that ends early and one that goes on behind that are failures.
 */
final class CountedRows implements AutoCloseable {
    private static final int LONG_DIGITS = 18;

    private final String table;
    private final Supplier<Optional<byte[]>> answer;
    private final Runnable close;
    private final byte[] countKey;
    private final JsonCursor cursor = new JsonCursor();
    private long count;

    CountedRows(CountedSelect select, QueryRows answer) {
        this(select, answer::next, answer::close);
    }

    /** @param answer its objects, one by one */
    CountedRows(CountedSelect select, Supplier<Optional<byte[]>> answer, Runnable close) {
        this.table = select.table().name().toString();
        this.answer = answer;
        this.close = close;
        this.countKey = select.countKey();
    }

    /**
     * Reads the next row; behind the last one, the columns are null and this is false.
     *
     * @param columns takes the columns of one object, from its bracket to what follows its last column
     * @throws SinkFailure of an answer that is not whole
     */
    boolean next(Consumer<JsonCursor> columns) {
        byte[] json = answer.get().orElseThrow(() -> unsound("the answer ends before the number of its rows"));
        cursor.read(json, 0, json.length);
        try {
            columns.accept(cursor);
            cursor.expect(',');
            if (!cursor.takeWord(countKey)) throw new UnreadableValue("the number of rows");
            cursor.expect(':');
            boolean isRow = cursor.takeNull();
            if (isRow) count++;
            else requireWhole(number());
            cursor.expect('}');
            cursor.expectEnd();
            return isRow;
        } catch (UnreadableValue unreadable) {
            throw unsound(unreadable.what());
        }
    }

    private long number() {
        int start = cursor.number();
        String digits = new String(cursor.bytes(), start, cursor.at() - start, StandardCharsets.ISO_8859_1);
        boolean plain = digits.length() <= LONG_DIGITS && digits.chars().allMatch(one -> one >= '0' && one <= '9');
        if (!plain) throw new UnreadableValue("the number of rows");
        return Long.parseLong(digits);
    }

    private void requireWhole(long rows) {
        if (rows != count) throw unsound("the answer has %d rows of %d".formatted(count, rows));
        if (answer.get().isPresent()) throw unsound("the answer goes on behind the number of its rows");
    }

    /** Rows so far. */
    long count() {
        return count;
    }

    SinkFailure unsound(String what) {
        return new SinkFailure(new Problem("query " + table, 200, "", what, SinkFailure.Kind.PROTOCOL));
    }

    @Override
    public void close() {
        close.run();
    }
}
