package tidemark.delivery;

/**
 * Something that design §1 says always holds did not: a defect of ours. Ends the process with 70, never caught to go
 * on.
 */
final class InvariantViolation extends RuntimeException {
    InvariantViolation(String what) {
        super(what);
    }

    @SuppressWarnings("AnnotateFormatMethod") // would add a dependency to the module
    static void require(boolean holds, String otherwise, Object... arguments) {
        if (!holds) throw new InvariantViolation(otherwise.formatted(arguments));
    }
}
