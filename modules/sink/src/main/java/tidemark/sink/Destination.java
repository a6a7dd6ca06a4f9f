package tidemark.sink;

import java.util.List;

/**
 * Where rows go: one Feldera pipeline. Implemented by {@link FelderaClient} and by the scripted destination of the
 * simulation; both pass one contract.
 *
 * <p>Thread safe; every method blocks its caller for at most the configured time-outs. Questions (everything but
 * {@link #post}) are idempotent and throw {@link SinkFailure}; a post never throws for what Feldera or the network did.
 */
public interface Destination {
    /** Which pipeline this is, for state and messages: its URL, without credentials. Asks nobody. */
    String address();

    /** The pipeline's descriptor: program and deployment status, edition-independent. */
    PipelineStatus pipeline();

    /** The input tables of the compiled program. */
    List<FelderaTable> tables();

    /**
     * Sends one JSON array of {@code insert_delete} envelopes to the table's one endpoint: one spelling, one set of
     * parameters, for ever (feldera.md 4). Feldera applies the array whole or not at all. Never call it for a table one
     * of whose posts is unanswered.
     */
    IngressReply post(TableBody body);

    /** Asks once whether everything that the token stands for is complete. */
    Completion completion(CompletionToken token);

    /** Which life of the pipeline answers, and how many operations each endpoint has taken in it. */
    PipelineStats stats();

    /**
     * The rows of one ad-hoc SELECT, streamed: the tables as of one step, the last one complete when it was asked.
     *
     * @throws SinkFailure also for SQL that Feldera cannot plan
     */
    QueryRows query(String sql, QueryRows.Limits limits);
}
