package tidemark.delivery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.replication.SourceSession.Publication;
import tidemark.replication.TableShape;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaTable;

/**
 * Decides before the first row whether the configured tables can go from this publication into this pipeline. Finds all
 * problems at once, so that a person mends them at once. Pure: asks nobody and logs nothing.
 */
final class StartCheck {
    /**
     * @param exit with which the problems end the process
     * @param problems nothing may start while there is one
     * @param warnings what will not arrive whole, or will stop the connector later; columns that Feldera lacks are the
     *     plan's to say
     * @param plans one per route without a problem, in the order of the routes
     */
    record Findings(ExitCode exit, List<Finding> problems, List<Finding> warnings, List<TablePlan> plans) {
        boolean mayStart() {
            return problems.isEmpty();
        }

        /** What is logged of the problems, each an event of its own. */
        List<String> report() {
            return problems.stream()
                    .map("refused start problem=\"%s\""::formatted)
                    .toList();
        }

        /** @throws SessionOver naming what the problems are about, if there are any; each has a line of its own */
        void requireNone() {
            if (mayStart()) return;
            String about = problems.stream().map(Finding::what).distinct().collect(Collectors.joining(", "));
            throw new SessionOver(new Failure.Misconfigured(
                    exit,
                    "problems before streaming: %d, with %s".formatted(problems.size(), about),
                    "Each has a line of its own above, with its remedy."));
        }
    }

    private final Publication publication;
    private final DeliverySettings settings;
    private final Map<RelationName, TableShape> published = new HashMap<>();
    private final Map<String, FelderaTable> inputs = new HashMap<>();
    private final List<Finding> problems = new ArrayList<>();
    private final List<Finding> warnings = new ArrayList<>();
    private final List<TablePlan> plans = new ArrayList<>();
    private boolean unreadable;

    private StartCheck(Publication publication, List<FelderaTable> inputs, DeliverySettings settings) {
        this.publication = publication;
        this.settings = settings;
        publication.tables().forEach(shape -> published.put(shape.name(), shape));
        // By canonical name, as Feldera looks tables up: one declared "users" is found as users too (feldera.md 1.2).
        inputs.forEach(table -> this.inputs.put(table.name().text(), table));
    }

    static Findings of(Publication publication, List<FelderaTable> inputs, DeliverySettings settings) {
        var check = new StartCheck(publication, inputs, settings);
        check.checkRoutes();
        check.checkOperations();
        settings.routes().stream().distinct().forEach(check::checkRoute);
        check.warnOfUnlisted();
        // With everything else that was found, but under a code of its own: it takes another person's rights to mend
        // it.
        ExitCode exit = check.unreadable ? ExitCode.CREDENTIALS : ExitCode.CONFIGURATION;
        return new Findings(exit, List.copyOf(check.problems), List.copyOf(check.warnings), List.copyOf(check.plans));
    }

    private void checkRoutes() {
        List<TableRoute> routes = settings.routes();
        if (routes.isEmpty()) {
            problem("tables", "no table is configured", "set tables, for example tables=users,items");
        }
        problems.addAll(Routes.problems(routes));
    }

    private void checkOperations() {
        if (settings.allowPartialPublication()) return;
        var missing = new StringJoiner(", ");
        if (!publication.inserts()) missing.add("insert");
        if (!publication.updates()) missing.add("update");
        if (!publication.deletes()) missing.add("delete");
        if (!publication.truncates()) missing.add("truncate");
        if (missing.length() == 0) return;
        problem(
                "publication " + publication.name(),
                "it does not publish %s, which would never arrive".formatted(missing),
                "ALTER PUBLICATION %s SET (publish = 'insert, update, delete, truncate'), or set publication.allow-partial=true"
                        .formatted(SqlName.of(publication.name())));
    }

    private void checkRoute(TableRoute route) {
        Optional<TableShape> shape = Optional.ofNullable(published.get(route.postgres()));
        Optional<FelderaTable> table =
                Optional.ofNullable(inputs.get(route.feldera().text()));
        shape.ifPresentOrElse(this::reportUnreadable, () -> reportUnpublished(route.postgres()));
        if (table.isEmpty()) reportUndeclared(route.feldera());
        if (shape.isEmpty() || table.isEmpty()) return;
        checkPair(new TablePlan(shape.get(), table.get()));
    }

    private void reportUnpublished(RelationName name) {
        String partitions = publication.viaPartitionRoot()
                ? ""
                : "; if it is partitioned, SET (publish_via_partition_root = true), as now its partitions are published";
        problem(
                "table " + name,
                "publication %s does not publish it, only %s".formatted(publication.name(), listed(published.keySet())),
                "ALTER PUBLICATION %s ADD TABLE %s%s"
                        .formatted(SqlName.of(publication.name()), SqlName.of(name), partitions));
    }

    /** Without a copy nothing reads the table itself: the stream needs no SELECT. */
    private void reportUnreadable(TableShape shape) {
        if (shape.missingGrants().isEmpty() || settings.snapshotMode() == DeliverySettings.SnapshotMode.NEVER) return;
        unreadable = true;
        problem(
                "table " + shape.name(),
                "postgres.user may not read all of it, so it could not be copied",
                String.join("; ", shape.missingGrants()));
    }

    private void reportUndeclared(FelderaName name) {
        List<FelderaName> declared =
                inputs.values().stream().map(FelderaTable::name).toList();
        problem(
                "Feldera table " + name,
                "the pipeline has no such input table, only " + listed(declared),
                "declare it in the Feldera program or correct tables");
    }

    private static String listed(Collection<?> names) {
        return names.isEmpty()
                ? "none"
                : names.stream().map(Object::toString).sorted().collect(Collectors.joining(", "));
    }

    private void checkPair(TablePlan plan) {
        int before = problems.size();
        FelderaTable feldera = plan.feldera();
        checkDeclared(plan.label(), feldera);
        if (feldera.primaryKey().isEmpty() && settings.requirePrimaryKey()) {
            problem(
                    plan.label(),
                    "the Feldera table has no PRIMARY KEY, so a replay would double its rows",
                    "declare one, or set feldera.require-primary-key=false");
        }
        if (publication.truncates() && !feldera.queryable()) {
            problem(
                    plan.label(),
                    "Feldera cannot query the table, so a TRUNCATE could not find the rows to retract",
                    "declare it WITH ('materialized' = 'true'), or leave truncate out of the publication (publish = 'insert,"
                            + " update, delete') and set publication.allow-partial=true");
        }
        var match = ColumnMatch.of(plan.label(), SourceColumn.of(plan.shape()), feldera);
        problems.addAll(match.problems());
        checkWal(plan);
        if (problems.size() > before) return;
        warnings.addAll(match.warnings());
        warnOfNulls(plan, match);
        warnOfMeetingKeys(plan);
        checkIdentity(plan, match);
        if (problems.size() == before) plans.add(plan);
    }

    /** What the program says of the table that would drop or hold back what is sent to it, and say nothing of it. */
    private void checkDeclared(String table, FelderaTable feldera) {
        if (feldera.appendOnly()) {
            problem(table, "the Feldera table is append-only, so no row of it can be replaced", "drop append_only");
        }
        if (feldera.fed()) {
            warning(
                    table,
                    "the Feldera table has connectors of its own, and what they write is not told from PostgreSQL's rows",
                    "take connectors out of the table in the Feldera program, or keep them paused");
        }
        for (FelderaTable.Column column : feldera.columns()) {
            String what = table + " column " + column.name();
            column.lateness()
                    .ifPresent(lateness -> problem(
                            what,
                            "it has LATENESS %s in Feldera, which drops rows that are older than that, and every update and delete"
                                            .formatted(lateness)
                                    + " of them, and says nothing",
                            "declare the column without LATENESS in the Feldera program: a view may have it instead (LATENESS"
                                    + " view.column …)"));
            column.watermark()
                    .ifPresent(watermark -> problem(
                            what,
                            "it has WATERMARK %s in Feldera, which holds rows back until newer ones come, and calls them complete"
                                    .formatted(watermark),
                            "declare the column without WATERMARK in the Feldera program"));
        }
    }

    private void warnOfNulls(TablePlan plan, ColumnMatch match) {
        match.bound().stream()
                .filter(bound ->
                        !bound.target().type().nullable() && !bound.source().notNull())
                .forEach(bound -> warning(
                        plan.label() + " column " + bound.target().name(),
                        "it is NOT NULL in Feldera and not in PostgreSQL: the first NULL stops the connector",
                        "make it NOT NULL in PostgreSQL or nullable in the Feldera program"));
    }

    /** Two rows with one key are one row in Feldera, of which the delete of either leaves none. */
    private void warnOfMeetingKeys(TablePlan plan) {
        if (!plan.keysMayMeet()) return;
        warning(
                plan.label(),
                "PostgreSQL has no unique index within Feldera's key %s that is checked row by row: two rows that share the key when"
                                .formatted(plan.feldera().primaryKey())
                        + " their transactions ended are one row in Feldera, and gone once either is deleted",
                "where a DEFERRABLE constraint sees to it: nothing. Else give the Feldera table a key that is unique in PostgreSQL, or"
                        + " CREATE UNIQUE INDEX on columns of this one");
    }

    /**
     * PostgreSQL takes no table into a publication whose changes are not in the WAL, but does not look at partitions.
     */
    private void checkWal(TablePlan plan) {
        plan.shape().partitions().orElse(List.of()).stream()
                .filter(leaf -> !leaf.inWal())
                .forEach(leaf -> problem(
                        plan.label(),
                        "its partition %s is UNLOGGED or a foreign table, so its changes are not in the WAL and never arrive"
                                .formatted(leaf.name()),
                        "ALTER TABLE %s SET LOGGED, or DETACH it".formatted(SqlName.of(leaf.name()))));
    }

    private void checkIdentity(TablePlan plan, ColumnMatch match) {
        var stopped = new StringJoiner(" and ");
        if (publication.updates()) stopped.add("updates");
        if (publication.deletes()) stopped.add("deletes");
        if (stopped.length() == 0) return;
        if (plan.shape().identity() == ReplicaIdentity.FULL) {
            warnOfPartitions(plan, stopped.toString());
            return;
        }
        boolean keyless = plan.feldera().primaryKey().isEmpty();
        boolean covered = match.bound().stream()
                .filter(bound -> keyless || bound.key())
                .allMatch(bound -> bound.source().inIdentity());
        if (covered && !keyless && !plan.keysMayMeet()) {
            warnOfPartitions(plan, stopped.toString());
            return;
        }
        warning(
                plan.label(),
                "%s of it will stop the connector, as its replica identity does not cover %s, only %s"
                        .formatted(
                                stopped,
                                needed(plan, covered),
                                listed(plan.shape().identityColumns())),
                "ALTER TABLE %s REPLICA IDENTITY FULL".formatted(SqlName.of(plan.postgres())));
    }

    /** Where the table's own identity says enough, that of a partition may not. */
    private void warnOfPartitions(TablePlan plan, String stopped) {
        plan.shape().partitions().orElse(List.of()).stream()
                .map(LeafIdentity::of)
                .filter(leaf -> !leaf.suffices(plan, plan.needsWholeOldRows()))
                .map(leaf -> leaf.lacking(
                        plan,
                        "where %s: once it was written to, %s of the table will stop the connector"
                                .formatted(
                                        plan.needsWholeOldRows() ? "whole rows are needed" : "Feldera's key is needed",
                                        stopped),
                        ""))
                .forEach(warnings::add);
    }

    private static String needed(TablePlan plan, boolean covered) {
        if (plan.feldera().primaryKey().isEmpty()) return "whole rows, which a table without key needs";
        String key = "Feldera's key " + plan.feldera().primaryKey();
        return covered
                ? "whole rows, which are needed where PostgreSQL does not check %s row by row".formatted(key)
                : key;
    }

    private void warnOfUnlisted() {
        Set<RelationName> routed =
                settings.routes().stream().map(TableRoute::postgres).collect(Collectors.toSet());
        Stream<RelationName> unlisted = publication.tables().stream()
                .map(TableShape::name)
                .filter(name -> !routed.contains(name))
                .sorted(Comparator.comparing(RelationName::toString));
        String effect = switch (settings.unlisted()) {
            case STOP -> "the first write to it stops the connector";
            case IGNORE -> "its changes are left out";
        };
        unlisted.forEach(name -> warning(
                "table " + name,
                "it is published and not in tables: " + effect,
                "add it to tables, take it out of the publication, or set tables.unlisted"));
    }

    private void problem(String what, String why, String remedy) {
        problems.add(new Finding(what, why, remedy));
    }

    private void warning(String what, String why, String remedy) {
        warnings.add(new Finding(what, why, remedy));
    }
}
