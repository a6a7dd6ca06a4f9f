package tidemark.standin;

/** Good JSON, but not what the column or the table takes. The message is Feldera's, position included. */
final class ValueRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;

    /** @param field the column at fault, empty when it is the row as a whole */
    ValueRefused(String message, String field) {
        super(message, null, false, false);
        this.field = field;
    }

    ValueRefused(String message) {
        this(message, "");
    }

    String field() {
        return field;
    }

    String description() {
        return String.valueOf(getMessage());
    }
}
