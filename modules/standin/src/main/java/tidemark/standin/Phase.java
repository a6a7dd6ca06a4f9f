package tidemark.standin;

import java.util.Optional;

/**
 * How far a process is with its life, as {@code /status} tells it (feldera.md 6): in order, of which a start goes
 * through those that it needs. Only while it serves does anything move from a queue into a table.
 */
enum Phase {
    /** The process answers, and has nothing to answer with. */
    INITIALIZING("Initializing"),
    /** The program is not the checkpoint's; somebody has to say that this is meant. */
    AWAITING_APPROVAL("AwaitingApproval"),
    /** The program is not the checkpoint's: what is new in it is computed. */
    BOOTSTRAPPING("Bootstrapping"),
    /** The journal's steps are done again. */
    REPLAYING("Replaying"),
    /** Running or paused, as its clients wish. */
    SERVING(""),
    /** Its last checkpoint is taken; only another process goes on. */
    SUSPENDED("Suspended"),
    /** It was asked to suspend and cannot: the recorded exchange 13. */
    UNSUSPENDABLE(""),
    /** Started under the deployment that was suspended (counters.md). */
    REFUSED("");

    private final String runtimeStatus;

    Phase(String runtimeStatus) {
        this.runtimeStatus = runtimeStatus;
    }

    /** {@code runtime_status}; empty for one that is Running or Paused, or that fails to say. */
    Optional<String> runtimeStatus() {
        return Optional.of(runtimeStatus).filter(status -> !status.isEmpty());
    }

    /** What every request is answered that asks for more than the status. */
    Optional<ApiError> answersOnly() {
        return switch (this) {
            case INITIALIZING, AWAITING_APPROVAL -> Optional.of(ApiError.initializing());
            case SUSPENDED -> Optional.of(ApiError.suspended());
            case UNSUSPENDABLE, REFUSED -> failure();
            case BOOTSTRAPPING, REPLAYING, SERVING -> Optional.empty();
        };
    }

    /** What even {@code /status} is answered. */
    Optional<ApiError> failure() {
        return switch (this) {
            case UNSUSPENDABLE -> Optional.of(ApiError.unsuspendable());
            case REFUSED -> Optional.of(ApiError.invalidInitialStatus());
            case INITIALIZING, AWAITING_APPROVAL, BOOTSTRAPPING, REPLAYING, SERVING, SUSPENDED -> Optional.empty();
        };
    }

    /** What a new endpoint, a transaction and a query are answered: there is state that is not there yet. */
    Optional<ApiError> restoring() {
        return switch (this) {
            case BOOTSTRAPPING -> Optional.of(ApiError.bootstrapInProgress());
            case REPLAYING -> Optional.of(ApiError.restoreInProgress());
            case INITIALIZING, AWAITING_APPROVAL, SERVING, SUSPENDED, UNSUSPENDABLE, REFUSED -> Optional.empty();
        };
    }
}
