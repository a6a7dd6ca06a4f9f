package tidemark.app;

import java.util.List;
import java.util.Optional;
import tidemark.decode.RelationName;
import tidemark.delivery.TableFindings;
import tidemark.delivery.VerifyState;

/**
 * How the comparison of a table stands, as JSON-B writes it; absent what does not apply.
 *
 * @param state under-way, compared or not-compared
 * @param heldMillis for how long the stream stood still for it
 * @param exit what the command ends with
 */
public record VerifyReply(
        String table,
        String state,
        Optional<String> waitingFor,
        Optional<Found> found,
        Optional<Long> heldMillis,
        Optional<Integer> exit,
        Optional<String> why,
        Optional<String> remedy) {
    static final String UNDER_WAY = "under-way";
    static final String COMPARED = "compared";

    /**
     * @param keys of the first differences
     * @param lines the same for people
     */
    public record Found(
            long postgresRows,
            long felderaRows,
            long missing,
            long extra,
            long different,
            List<String> keys,
            List<String> lines) {
        static Found of(TableFindings found) {
            return new Found(
                    found.postgresRows(),
                    found.felderaRows(),
                    found.missing(),
                    found.extra(),
                    found.different(),
                    found.keys(),
                    found.lines());
        }
    }

    static VerifyReply of(RelationName table, VerifyState state) {
        return switch (state) {
            case VerifyState.UnderWay(String doing) ->
                new VerifyReply(
                        table.toString(),
                        UNDER_WAY,
                        Optional.of(doing),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
            case VerifyState.Compared(var found, var held) ->
                new VerifyReply(
                        table.toString(),
                        COMPARED,
                        Optional.empty(),
                        Optional.of(Found.of(found)),
                        Optional.of(held.toMillis()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
            case VerifyState.NotCompared(var exit, String why, String remedy) ->
                new VerifyReply(
                        table.toString(),
                        "not-compared",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(exit.code()),
                        Optional.of(why),
                        Optional.of(remedy));
        };
    }
}
