package tidemark.replication;

import java.util.OptionalLong;

/**
 * Some pages of one table's heap, of those that it had and of those that it gets: parts whose ranges meet bring every
 * row of a snapshot once. Any thread.
 *
 * @param fromPage the first page of it
 * @param toPage the first page after it; empty for all that follow
 */
public record TablePart(TableShape table, long fromPage, OptionalLong toPage) {
    /** All of it, whatever it is made of. */
    public static TablePart whole(TableShape table) {
        return new TablePart(table, 0, OptionalLong.empty());
    }
}
