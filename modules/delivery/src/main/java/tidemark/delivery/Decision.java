package tidemark.delivery;

import tidemark.decode.Lsn;
import tidemark.sink.CompletionToken;
import tidemark.sink.FelderaName;
import tidemark.sink.TableBody;

/** What {@link DeliveryCore} wants done. Whoever does it reports back by an {@link Event}. */
sealed interface Decision {
    record Post(long batchId, TableBody body) implements Decision {}

    record AskCompletion(CompletionToken token) implements Decision {}

    /** Ask which life of the pipeline is running. */
    record AskLife() implements Decision {}

    /** Ask who holds the slot. */
    record AskTenure() implements Decision {}

    /** Make durable that nobody may trust the table, at the newest mark. Reported back as a mark is. */
    record Doubt(FelderaName table, Mark mark) implements Decision {}

    /** Make the mark durable; only then may its position be confirmed. */
    record Persist(Mark mark) implements Decision {}

    /** PostgreSQL may forget everything below. */
    record Confirm(Lsn lsn) implements Decision {}

    /** The table's endpoint accepted a body. */
    record Taken(FelderaName table) implements Decision {}

    /**
     * Something got done: both ends work. Resets the patience.
     *
     * @param kept nothing of it is done again should the session end: a part of a transaction is
     */
    record Progressed(boolean kept) implements Decision {}

    /** Nothing is outstanding, and both ends live. */
    record CaughtUp() implements Decision {}

    /** Everything that was read is settled, recorded and confirmed. */
    record Drained() implements Decision {}

    record EndSession(Failure why) implements Decision {}
}
