package tidemark.demo;

import tidemark.delivery.ExitCode;

/**
 * Why the demo could not come to a verdict: the exit code, and one message that says what to do. Never holds row
 * values.
 */
final class DemoFailure extends RuntimeException {
    private final int exitCode;

    DemoFailure(ExitCode exit, String message) {
        this(exit.code(), message);
    }

    /** For a child whose own exit code says more than ours could. */
    DemoFailure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    DemoFailure(ExitCode exit, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exit.code();
    }

    int exitCode() {
        return exitCode;
    }
}
