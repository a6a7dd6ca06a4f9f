package tidemark.delivery;

import tidemark.decode.Lsn;
import tidemark.sink.CompletionToken;
import tidemark.sink.IngressReply;
import tidemark.sink.PipelineStats;

/**
 * What {@link DeliveryCore} is told. Rows are not events: they go into the {@link Outbox}, and the core sees the batch.
 */
sealed interface Event {
    /** A transaction was opened. */
    record Begun() implements Event {}

    /** The open transaction was read to its end. */
    record Committed(Lsn endLsn) implements Event {}

    /** Everything below {@code walEnd} has been read. */
    record KeptAlive(Lsn walEnd) implements Event {}

    /** The last row of the last table's copy was encoded. */
    record CopyRead() implements Event {}

    /** Nothing more will be read: somebody wants an orderly end, or the session is to begin again. */
    record DrainAsked() implements Event {}

    /**
     * What the state says of a table that is read again has changed: it has to be durable, and from here on PostgreSQL
     * is told of no newer position.
     */
    record Restated() implements Event {}

    /** The clock moved, or rows were added. */
    record Elapsed() implements Event {}

    record Answered(long batchId, IngressReply reply) implements Event {}

    record Complete(CompletionToken token) implements Event {}

    record Incomplete(CompletionToken token) implements Event {}

    /** The token will never be complete. */
    record TokenVoid(CompletionToken token) implements Event {}

    record LifeSeen(PipelineStats stats) implements Event {}

    /** @param ours this session's walsender holds the slot */
    record TenureSeen(boolean ours) implements Event {}

    /** A question was not answered, in spite of what the app's fault tolerance did for it. */
    record QuestionFailed(Failure why) implements Event {}

    /** The mark is not on disk, or nobody knows. */
    record NotRecorded(Failure why) implements Event {}

    /** The mark is on disk. */
    record Recorded(Mark mark) implements Event {}
}
