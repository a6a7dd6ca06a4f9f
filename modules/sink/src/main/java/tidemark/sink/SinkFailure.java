package tidemark.sink;

/**
 * A question that Feldera or the network did not answer, classified by HTTP status and error_code or exception type.
 */
public final class SinkFailure extends RuntimeException {
    public enum Kind {
        /** Try again with backoff. */
        TRANSIENT,
        /** 401, 403. */
        CREDENTIALS,
        /** The pipeline, table or parameter does not exist or cannot be used so. */
        MISCONFIGURED,
        /** Not what feldera.md documents. */
        PROTOCOL,
        /** A person is needed. */
        PERMANENT
    }

    private final Problem problem;

    public SinkFailure(Problem problem) {
        super(problem.toString());
        this.problem = problem;
    }

    public SinkFailure(Problem problem, Throwable cause) {
        super(problem.toString(), cause);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }

    public Kind kind() {
        return problem.kind();
    }
}
