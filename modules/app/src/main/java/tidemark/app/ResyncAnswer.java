package tidemark.app;

/**
 * That a table will be read again, as JSON-B writes it; what becomes of it is in {@code /status}.
 *
 * @param state accepted, or under-way if it was asked for before
 */
public record ResyncAnswer(String table, String state) {}
