package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells a person of each thing once, however many sessions and RELATION messages find it again. Lives as long as the
 * process; owned by the connector's thread.
 */
final class Notices {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    private final Set<Object> told = new HashSet<>();

    private record Named(String table, String as, String column) {}

    void tell(Finding finding) {
        if (told.add(finding)) LOG.log(Level.WARNING, "{0}", finding);
    }

    /** What of the columns does not arrive, or not whole. */
    void tellOf(TablePlan plan, ColumnMatch match) {
        String table = plan.label();
        unnamed(table, "left out", match.ignored())
                .ifPresent(columns -> tell(new Finding(
                        table,
                        "the Feldera table lacks the columns %s, which are left out".formatted(columns),
                        "add them to the Feldera program if they matter")));
        unnamed(
                        table,
                        "null",
                        match.absent().stream()
                                .map(column -> column.name().text())
                                .toList())
                .ifPresent(columns -> tell(new Finding(
                        table,
                        "PostgreSQL publishes no columns %s, which are sent as null".formatted(columns),
                        "none needed, unless they were renamed or dropped by mistake: docs/operations.md")));
        match.warnings().forEach(this::tell);
    }

    /** Those that were not named yet, in one line. */
    private Optional<String> unnamed(String table, String as, List<String> columns) {
        List<String> unnamed = columns.stream()
                .filter(column -> told.add(new Named(table, as, column)))
                .map(SqlName::of)
                .toList();
        return unnamed.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", unnamed));
    }
}
