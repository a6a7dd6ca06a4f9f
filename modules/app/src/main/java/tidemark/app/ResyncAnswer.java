package tidemark.app;

/**
 * That a table will be read again, or after all will not, as JSON-B writes it; what becomes of it is in
 * {@code /status}.
 *
 * @param state accepted, under-way if it was asked for before, or cancelled
 */
public record ResyncAnswer(String table, String state) {}
