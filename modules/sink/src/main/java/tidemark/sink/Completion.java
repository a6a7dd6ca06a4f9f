package tidemark.sink;

/** The answer to {@code /completion_status}. */
public sealed interface Completion {
    /** Processed, and every output connector has it. */
    record Complete() implements Completion {}

    /**
     * {@code stepped}: every record was fed to the circuit ({@code step} is not null); what is left is outputs or a
     * commit.
     */
    record InProgress(boolean stepped) implements Completion {}

    /** 410: that life of the pipeline, or that endpoint, is gone; the token will never be complete. */
    record Voided() implements Completion {}
}
