package tidemark.delivery;

import java.util.Optional;
import tidemark.sink.QueryRows;

/**
 * An answer of which the first row is there: it shows the tables as they were then, whatever is sent from now on
 * (feldera.md §4).
 */
final class BegunRows implements QueryRows {
    private final QueryRows answer;
    private Optional<byte[]> first;

    /** Waits for the first row, and closes the answer if it does not come. */
    BegunRows(QueryRows answer) {
        this.answer = answer;
        boolean begun = false;
        try {
            this.first = answer.next();
            begun = true;
        } finally {
            if (!begun) answer.close();
        }
    }

    @Override
    public Optional<byte[]> next() {
        Optional<byte[]> row = first.isPresent() ? first : answer.next();
        first = Optional.empty();
        return row;
    }

    @Override
    public void close() {
        answer.close();
    }
}
