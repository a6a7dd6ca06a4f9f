package tidemark.delivery;

/** Carries a decided {@link Failure} up to where the session ends. */
final class SessionOver extends RuntimeException {
    private final transient Failure failure;

    SessionOver(Failure failure) {
        super(failure.what());
        this.failure = failure;
    }

    Failure failure() {
        return failure;
    }
}
