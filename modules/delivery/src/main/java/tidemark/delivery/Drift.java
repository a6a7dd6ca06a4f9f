package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidemark.replication.TableEdition;
import tidemark.replication.TableEdition.Column;
import tidemark.replication.TableEdition.Store;
import tidemark.sink.FelderaTable;

/**
 * Something that the stream does not tell and that may make Feldera's table differ until it is read again. Found by
 * comparing the edition of the table that was read with the one that the catalog shows now: pure, so a restart finds
 * the same.
 */
record Drift(DriftKind kind, Finding finding) {
    private static final String TWICE =
            "; it is in Feldera's key, so a row that was written since may be there under its old key, too";

    /** Partitions named in one message. */
    private static final int NAMED = 10;

    /** Of text and varchar, which print alike. */
    private static final Set<Integer> TEXTS = Set.of(25, 1043);

    private static final String READ_AGAIN =
            "read the table again (tidemark resync TABLE); or stop Tidemark, " + Remedy.MERGE_ALL;

    /**
     * @param read what Feldera's rows were copied from, or began to be streamed from
     * @param now empty when there is no table of that name
     */
    static List<Drift> between(TablePlan plan, EditionRead read, Optional<TableEdition> now) {
        if (now.isEmpty()) {
            return List.of(of(
                    plan,
                    DriftKind.TABLE,
                    "there is no such table any more, it was dropped or renamed; Feldera keeps its rows",
                    "if it was renamed, correct tables before the next start; if it was dropped, " + READ_AGAIN));
        }
        TableEdition then = read.edition();
        if (now.get().oid() != then.oid()) {
            return List.of(of(
                    plan,
                    DriftKind.TABLE,
                    "it was dropped, and another table (oid %s, not %s) has its name; Feldera keeps the rows of the first"
                            .formatted(oid(now.get().oid()), oid(then.oid())),
                    READ_AGAIN));
        }
        List<Drift> found = new ArrayList<>();
        publication(plan, then, now.get()).ifPresent(found::add);
        if (now.get().isPartitioned()) {
            partitions(plan, read, now.get()).ifPresent(found::add);
            rewritten(plan, read, now.get()).ifPresent(found::add);
        }
        found.addAll(columns(plan, read, now.get()));
        found.addAll(gone(plan, read.edition(), now.get()));
        return List.copyOf(found);
    }

    private static Drift of(TablePlan plan, DriftKind kind, String why, String remedy) {
        return new Drift(kind, new Finding(plan.label(), why, remedy));
    }

    private static String oid(int oid) {
        return Integer.toUnsignedString(oid);
    }

    private static Optional<Drift> publication(TablePlan plan, TableEdition read, TableEdition now) {
        if (now.membership().equals(read.membership())) return Optional.empty();
        return Optional.of(
                now.membership().isEmpty()
                        ? of(
                                plan,
                                DriftKind.PUBLICATION,
                                "the publication does not publish it any more: what is written to it does not arrive",
                                "add it to the publication again, then " + READ_AGAIN)
                        : of(
                                plan,
                                DriftKind.PUBLICATION,
                                "it left the publication and came back, or the publication was altered (its operations, the"
                                        + " table's row filter or column list): what was written meanwhile may not have arrived",
                                READ_AGAIN));
    }

    private static Optional<Drift> partitions(TablePlan plan, EditionRead read, TableEdition now) {
        Map<TableEdition.Place, Long> files = files(now);
        String came = names(read.seeing(now).since().stream().filter(Store::attached));
        String went = names(read.stores().filter(store -> !files.containsKey(store.place())));
        String unlogged = names(now.stores().stream().filter(store -> !store.logged()));
        if (!unlogged.isEmpty()) {
            return Optional.of(of(
                    plan,
                    DriftKind.PARTITIONS,
                    "changes of %s are not in the WAL, as it is UNLOGGED or a foreign table, and none of them arrives"
                            .formatted(unlogged),
                    "ALTER TABLE … SET LOGGED, or DETACH it; then " + READ_AGAIN));
        }
        if (came.isEmpty() && went.isEmpty()) return Optional.empty();
        List<String> why = new ArrayList<>();
        if (!came.isEmpty()) why.add("attached %s, of whose rows Feldera has none from before".formatted(came));
        if (!went.isEmpty()) why.add("detached or dropped %s, whose rows Feldera keeps".formatted(went));
        return Optional.of(of(
                plan,
                DriftKind.PARTITIONS,
                "its partitions changed, which is not in the stream: " + String.join("; ", why),
                READ_AGAIN));
    }

    private static Optional<Drift> rewritten(TablePlan plan, EditionRead read, TableEdition now) {
        String rewritten = names(read.rewritten(now));
        if (rewritten.isEmpty()) return Optional.empty();
        return Optional.of(of(
                plan,
                DriftKind.REWRITE,
                "partition %s was truncated or rewritten: a TRUNCATE of a single partition is not in the stream, and Feldera"
                                .formatted(rewritten)
                        + " keeps its rows (VACUUM FULL, CLUSTER and most of ALTER TABLE change no row)",
                "if it was truncated, " + READ_AGAIN));
    }

    private static Map<TableEdition.Place, Long> files(TableEdition edition) {
        return edition.stores().stream().collect(Collectors.toMap(Store::place, Store::file));
    }

    private static String names(Stream<Store> stores) {
        List<String> names =
                stores.map(store -> SqlName.of(store.name())).sorted().toList();
        String first = names.stream().limit(NAMED).collect(Collectors.joining(", "));
        return names.size() <= NAMED ? first : "%s and %d more".formatted(first, names.size() - NAMED);
    }

    /** Only of columns that Feldera has; one that both have had from the beginning is what it was. */
    private static List<Drift> columns(TablePlan plan, EditionRead read, TableEdition now) {
        boolean rewritten = read.rewritten(now).findAny().isPresent();
        List<Drift> found = new ArrayList<>();
        for (Column column : now.columns()) {
            Optional<FelderaTable.Column> wanted = plan.feldera().columns().stream()
                    .filter(target -> ColumnMatch.matches(target.name(), column.name()))
                    .findFirst();
            if (wanted.isEmpty()) continue;
            boolean key =
                    plan.feldera().primaryKey().contains(wanted.get().name().text());
            unsent(column, read.edition(), rewritten)
                    .ifPresent(why -> found.add(new Drift(
                            DriftKind.COLUMNS,
                            new Finding(
                                    plan.label() + " column " + SqlName.of(column.name()),
                                    why + ", in rows that were not written since" + (key ? TWICE : ""),
                                    READ_AGAIN))));
        }
        return found;
    }

    /** Of a column that Feldera has: null in rows that are written, and what it was in all others. */
    private static List<Drift> gone(TablePlan plan, TableEdition read, TableEdition now) {
        return plan.feldera().columns().stream()
                .filter(target ->
                        now.columns().stream().noneMatch(column -> ColumnMatch.matches(target.name(), column.name())))
                .flatMap(target ->
                        read.columns().stream().filter(column -> ColumnMatch.matches(target.name(), column.name())))
                .map(column -> new Drift(
                        DriftKind.COLUMNS,
                        new Finding(
                                plan.label() + " column " + SqlName.of(column.name()),
                                "it was dropped, renamed or left out of the publication, and Feldera keeps its values, in rows that"
                                        + " were not written since",
                                READ_AGAIN)))
                .toList();
    }

    /** How rows may have got another value in it without a word in the stream. */
    private static Optional<String> unsent(Column column, TableEdition read, boolean rewritten) {
        Optional<Column> sameNumber = read.columns().stream()
                .filter(one -> one.number() == column.number())
                .findFirst();
        boolean sameName = read.columns().stream().anyMatch(one -> one.name().equals(column.name()));
        if (sameNumber.isPresent() && !sameNumber.get().name().equals(column.name())) {
            return Optional.of("it was renamed, from %s, and Feldera lacks its values"
                    .formatted(SqlName.of(sameNumber.get().name())));
        }
        if (sameNumber.isEmpty() && sameName) {
            return Optional.of("it was dropped and added again, and Feldera keeps the values of the old one");
        }
        if (sameNumber.isEmpty()) {
            return column.filled() || rewritten
                    ? Optional.of(
                            "it was added with a DEFAULT, or the table rewritten since, and Feldera may lack its values")
                    : Optional.empty();
        }
        boolean retyped = sameNumber.get().typeOid() != column.typeOid()
                || sameNumber.get().typeModifier() != column.typeModifier();
        if (!column.fields().containsAll(sameNumber.get().fields())) {
            return Optional.of(
                    "fields of its type were dropped or renamed, and Feldera keeps them as they were; rows with other fields of the"
                            + " same number may have gone under the old names until now");
        }
        if (!column.labels().containsAll(sameNumber.get().labels())) {
            return Optional.of("labels of its enum were renamed, and Feldera keeps them as they were");
        }
        if (!rewritten) {
            return printsAnew(sameNumber.get(), column)
                    ? Optional.of(
                            "its type was changed, and a value that is the same may print another text now, which Feldera lacks")
                    : Optional.empty();
        }
        if (retyped) {
            return Optional.of(
                    "its type was changed by rewriting the table, and Feldera keeps what the old values were");
        }
        return sameNumber.get().isAltered(column)
                ? Optional.of(
                        "it was altered and the table rewritten since: if that was ALTER COLUMN … TYPE … USING, Feldera keeps"
                                + " what the old values were (VACUUM FULL and an ALTER that changes no value leave them alone)")
                : Optional.empty();
    }

    /**
     * PostgreSQL leaves rows alone where the bytes stay: of cidr and inet, of timestamps under TimeZone UTC, of oids.
     */
    private static boolean printsAnew(Column before, Column now) {
        return before.typeOid() != now.typeOid()
                && PgType.isBuiltIn(before.typeOid()) // another one may be a domain over the other, and prints as that
                && PgType.isBuiltIn(now.typeOid())
                && !(TEXTS.contains(before.typeOid()) && TEXTS.contains(now.typeOid()));
    }
}
