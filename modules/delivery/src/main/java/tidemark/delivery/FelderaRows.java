package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import tidemark.delivery.ComparableForm.Wording;
import tidemark.sink.Problem;
import tidemark.sink.QueryRows;
import tidemark.sink.SinkFailure;

/**
 * Feldera's rows, from one query of {@link ComparedTable#query}. They are whole only if the last object of the answer
 * says how many they are, and rightly: an empty answer, one that ends early and one that goes on behind that are
 * failures.
 */
final class FelderaRows extends SortedRows {
    private static final int LONG_DIGITS = 18;

    private final Supplier<Optional<byte[]>> answer;
    private final Runnable close;
    private final byte[] countKey;
    private final JsonCursor cursor = new JsonCursor();

    FelderaRows(ComparedTable table, QueryRows answer) {
        this(table, answer::next, answer::close);
    }

    /** @param answer its objects, one by one */
    FelderaRows(ComparedTable table, Supplier<Optional<byte[]>> answer, Runnable close) {
        super(table);
        this.answer = answer;
        this.close = close;
        this.countKey = table.countKey();
    }

    @Override
    boolean read(ComparedRow into) {
        byte[] json = answer.get().orElseThrow(() -> unsound("the answer ends before the number of its rows"));
        cursor.read(json, 0, json.length);
        try {
            into.read(cursor, Wording.ANSWER);
            cursor.expect(',');
            if (!cursor.takeWord(countKey)) throw new UnreadableValue("the number of rows");
            cursor.expect(':');
            boolean isRow = cursor.takeNull();
            if (!isRow) requireWhole(number());
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
        if (rows != count()) throw unsound("the answer has %d rows of %d".formatted(count(), rows));
        if (answer.get().isPresent()) throw unsound("the answer goes on behind the number of its rows");
    }

    private SinkFailure unsound(String what) {
        return new SinkFailure(
                new Problem("query " + table.plan().feldera().name(), 200, "", what, SinkFailure.Kind.PROTOCOL));
    }

    @Override
    RuntimeException disordered(boolean sameKey) {
        return unsound(sameKey ? "two rows have one key" : "the answer is not in the order that was asked for");
    }

    @Override
    public void close() {
        close.run();
    }
}
