package tidemark.standin;

/** SQL that the compiler, or the stand-in's part of it, does not take; with the place. */
final class SqlRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    SqlRefused(String message, SqlText.Token where) {
        super(message, null, false, false);
        line = where.line();
        column = where.column();
    }

    int line() {
        return line;
    }

    int column() {
        return column;
    }

    String description() {
        return String.valueOf(getMessage());
    }
}
