package tidemark.delivery;

import tidemark.decode.Lsn;

/**
 * A row or relation that cannot be delivered faithfully: stops the connector by name, exit code 65. Carries names,
 * never values; the body it was meant for is as it was before.
 */
final class RowRefused extends RuntimeException {
    private final Finding finding;
    private final boolean outdated;

    RowRefused(Finding finding) {
        this(finding, false);
    }

    private RowRefused(Finding finding, boolean outdated) {
        super(finding.toString());
        this.finding = finding;
        this.outdated = outdated;
    }

    /** The catalog, asked again, may show what the row is about. */
    static RowRefused outdated(Finding finding) {
        return new RowRefused(finding, true);
    }

    boolean isOutdated() {
        return outdated;
    }

    /** The remedy for changes that do not say enough about the row. */
    static String fullIdentity(TablePlan plan, String toGoOn) {
        String table = SqlName.of(plan.postgres());
        return plan.shape().partitions().isPresent()
                ? "give %s and every partition of it REPLICA IDENTITY FULL, so that it does not happen again; %s"
                        .formatted(table, toGoOn)
                : "ALTER TABLE %s REPLICA IDENTITY FULL, so that it does not happen again; %s".formatted(table, toGoOn);
    }

    /** The same, found in the transaction whose commit record is at this position: where to look in the WAL. */
    RowRefused in(Lsn commit) {
        return new RowRefused(new Finding(
                finding.what(), finding.why() + ", in the transaction that commits at " + commit, finding.remedy()));
    }

    /** The same, found in this row: what {@link KeyHash} says of it. */
    RowRefused ofRow(String keyMd5) {
        return new RowRefused(
                new Finding(finding.what(), finding.why() + ", in the row with key_md5=" + keyMd5, finding.remedy()),
                outdated);
    }

    /** {@code what} is the table and, if it is about one, the column. */
    Finding finding() {
        return finding;
    }

    String remedy() {
        return finding.remedy();
    }
}
