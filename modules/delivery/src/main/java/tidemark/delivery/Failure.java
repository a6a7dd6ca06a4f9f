package tidemark.delivery;

/**
 * Why a session ended other than by request, with one line of remedy. Decided once, by {@link FailurePolicy}; what is
 * not recognised is permanent.
 */
sealed interface Failure {
    String what();

    String remedy();

    /** Another session may succeed without a person. {@code onSlot}: the slot is held by another walsender. */
    record Transient(String what, String remedy, boolean onSlot) implements Failure {}

    /** A person is needed; the slot stays where it is. */
    record Permanent(ExitCode exit, String what, String remedy) implements Failure {}

    /** One of the ends must be configured otherwise before anything is streamed. */
    record Misconfigured(ExitCode exit, String what, String remedy) implements Failure {}

    static Failure peer(String what, String remedy) {
        return new Transient(what, remedy, false);
    }
}
