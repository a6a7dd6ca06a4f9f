package tidemark.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The verdict in words. */
final class Report {
    private Report() {}

    static List<String> of(TableProof proof) {
        List<String> lines = new ArrayList<>();
        String verdict = proof.isEqual() ? "equal" : "%,d DIFFERENT".formatted(proof.differences());
        lines.add("  %-24s %,12d rows in PostgreSQL %,12d in Feldera   %s"
                .formatted(proof.table(), proof.postgresRows(), proof.felderaRows(), verdict));
        if (!proof.notCompared().isEmpty()) {
            lines.add("    not compared: " + String.join(", ", proof.notCompared()));
        }
        proof.examples().forEach(example -> lines.add("    " + example));
        return lines;
    }

    static List<String> of(List<TableProof> proofs, Picture last, long peakRowsPerSecond, Duration comparing) {
        long rows = proofs.stream().mapToLong(TableProof::postgresRows).sum();
        long differences = proofs.stream().mapToLong(TableProof::differences).sum();
        return List.of(
                "",
                differences == 0
                        ? "EQUAL: %d tables, %,d rows, every value compared is the same on both sides"
                                .formatted(proofs.size(), rows)
                        : "DIFFERENT: %,d rows of %d tables are not the same".formatted(differences, proofs.size()),
                "  compared at %,d rows/s".formatted(rows * 1000 / Math.max(1, comparing.toMillis())),
                "  delivered %,d rows, replays included, at most %,d rows/s; longest lag %s"
                        .formatted(last.deliveredRows(), peakRowsPerSecond, View.bytes(last.longestLagBytes())),
                "  service killed %d times, %d lives".formatted(last.lives() - 1, last.lives()));
    }
}
