package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static tidemark.delivery.TableFixture.TEXT;
import static tidemark.delivery.TableFixture.publication;
import static tidemark.delivery.TableFixture.settings;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.replication.SourceSession.Publication;
import tidemark.replication.TableShape;
import tidemark.sink.FelderaTable;

class StartCheckTest {
    private static final int INT4 = 23;

    @Test
    void twoEndsThatFitHaveNothingToSayAndAPlanPerRoute() {
        var findings = check("users,items", fitting("users"), fitting("items"));
        assertThat(findings.problems()).isEmpty();
        assertThat(findings.warnings()).isEmpty();
        assertThat(findings.mayStart()).isTrue();
        assertThat(findings.plans()).extracting(plan -> plan.postgres().table()).containsExactly("users", "items");
    }

    @Test
    void findsEightProblemsAtOnce() {
        var users = new TableFixture("users")
                .both("id", INT4, "INTEGER!")
                .target("name", "VARCHAR!")
                .key("id");
        var items = new TableFixture("items")
                .both("id", INT4, "INTEGER!")
                .both("area", 600, "DOUBLE")
                .key("id");
        var events = fitting("events").appendOnly();
        var lines = new TableFixture("lines").both("id", INT4, "INTEGER!");
        var twice = fitting("twice");
        var folded = new TableFixture("folded")
                .both("id", INT4, "INTEGER!")
                .source("duration", INT4)
                .source("Duration", TEXT)
                .target("duration", "INTEGER")
                .key("id");
        var undeclared = fitting("undeclared");
        var partial = new Publication(
                "Pub-1",
                Stream.of(users, items, events, lines, twice, folded, undeclared)
                        .map(TableFixture::shape)
                        .toList(),
                true,
                true,
                false,
                false,
                true);
        var inputs = Stream.of(users, items, events, lines, twice, folded)
                .map(TableFixture::feldera)
                .toList();
        var findings = StartCheck.of(
                partial,
                inputs,
                settings("users,items,events,lines,twice,twice:users,folded,undeclared,unpublished:twice"));
        assertThat(findings.mayStart()).isFalse();
        assertThat(lines(findings.problems()))
                .contains("table public.twice: it is configured twice")
                .contains("Feldera table twice: both public.twice and public.unpublished go into it")
                .contains("publication Pub-1: it does not publish delete, truncate")
                .contains("ALTER PUBLICATION \"Pub-1\" SET")
                .contains("public.users -> users column name: it is NOT NULL in Feldera and PostgreSQL publishes no")
                .contains("public.items -> items column area: PostgreSQL's other does not go into Feldera's DOUBLE")
                .contains("public.events -> events: the Feldera table is append-only")
                .contains("public.lines -> lines: the Feldera table has no PRIMARY KEY")
                .contains(
                        "public.folded -> folded column duration: the PostgreSQL columns duration, \"Duration\" fold onto it")
                .contains("Feldera table undeclared: the pipeline has no such input table, only events, folded")
                .contains("table public.unpublished: publication Pub-1 does not publish it, only public.events");
        assertThat(findings.plans()).extracting(plan -> plan.postgres().table()).containsExactly("twice");
    }

    @Test
    void everyFindingIsOneLineWithARemedy() {
        var findings = check("users,missing", fitting("other"));
        assertThat(findings.problems()).isNotEmpty().allSatisfy(finding -> {
            assertThat(finding.toString()).doesNotContain("\n");
            assertThat(finding.remedy()).isNotBlank();
        });
    }

    /** Found before a slot is made for a copy that could not be read. */
    @Test
    void aTableThatMayNotBeReadEndsWithTheCodeOfPrivilegesAndEveryProblem() {
        var users = fitting("users").missing("GRANT SELECT ON public.users TO replicator");
        var findings = check("users,missing", users);
        assertThat(lines(findings.problems()))
                .contains("table public.users: postgres.user may not read all of it")
                .contains("GRANT SELECT ON public.users TO replicator")
                .contains("table public.missing");
        var refused = catchThrowableOfType(SessionOver.class, findings::requireNone);
        assertThat(refused.failure())
                .isInstanceOfSatisfying(
                        Failure.Misconfigured.class,
                        failure -> assertThat(failure.exit()).isEqualTo(ExitCode.CREDENTIALS));
        assertThat(refused.failure().what()).contains("problems before streaming: 3, with table public.users, ");
    }

    @Test
    void aTableThatIsNotListedNeedNotBeRead() {
        var users = fitting("users").missing("GRANT SELECT ON public.users TO replicator");
        assertThat(check("items", fitting("items"), users).problems()).isEmpty();
    }

    @Test
    void noRoutesAreAProblem() {
        assertThat(lines(check("", fitting("users")).problems())).contains("no table is configured");
    }

    @Test
    void aDefaultIsNoSourceForANotNullColumn() {
        var users = new TableFixture("users")
                .both("id", INT4, "INTEGER!")
                .defaulted("level", "INTEGER!")
                .key("id");
        assertThat(lines(check("users", users).problems()))
                .contains("column level")
                .contains("DEFAULT");
        var nullable = new TableFixture("users")
                .both("id", INT4, "INTEGER!")
                .defaulted("level", "INTEGER")
                .key("id");
        assertThat(check("users", nullable).problems()).isEmpty();
    }

    @Test
    void anUnpublishedTableMayBePublishedByItsPartitions() {
        var leaf = fitting("t03_1").shape();
        var byLeaf = new Publication("tidemark", List.of(leaf), true, true, true, true, false);
        var findings = StartCheck.of(byLeaf, List.of(fitting("t03").feldera()), settings("t03"));
        assertThat(lines(findings.problems())).contains("public.t03_1").contains("publish_via_partition_root = true");
    }

    @Test
    void aPartialPublicationMayBeAllowed() {
        var partial = new Publication("p", List.of(fitting("t").shape()), true, true, false, false, true);
        var findings = StartCheck.of(partial, List.of(fitting("t").feldera()), settings("t", true, true));
        assertThat(findings.problems()).isEmpty();
    }

    @Test
    void aKeylessTableMayBeAllowedAndIsWarnedOf() {
        var log = new TableFixture("log").both("id", INT4, "INTEGER");
        var findings = StartCheck.of(publication(log.shape()), List.of(log.feldera()), settings("log", false, false));
        assertThat(findings.problems()).isEmpty();
        assertThat(lines(findings.warnings())).contains("updates and deletes of it will stop the connector");
        var full = new TableFixture("log").both("id", INT4, "INTEGER").identity(ReplicaIdentity.FULL);
        assertThat(StartCheck.of(publication(full.shape()), List.of(full.feldera()), settings("log", false, false))
                        .warnings())
                .isEmpty();
    }

    /** Not at the first TRUNCATE. */
    @Test
    void aTableThatFelderaCannotQueryIsRefusedUnlessNoTruncateComes() {
        var hidden = new TableFixture("t").both("id", INT4, "INTEGER!").unqueryable();
        var findings =
                StartCheck.of(publication(hidden.shape()), List.of(hidden.feldera()), settings("t", false, false));
        assertThat(findings.problems()).hasSize(1);
        assertThat(lines(findings.problems()))
                .contains("public.t -> t", "Feldera cannot query the table", "'materialized' = 'true'");
        var without = new Publication("p", List.of(hidden.shape()), true, true, true, false, true);
        assertThat(StartCheck.of(without, List.of(hidden.feldera()), settings("t", false, true))
                        .problems())
                .isEmpty();
    }

    /** Inserts work, so it is no problem yet. */
    @Test
    void aKeyThatTheIdentityDoesNotCoverIsWarnedOf() {
        var t = new TableFixture("t")
                .both("id", INT4, "INTEGER!")
                .both("code", TEXT, "VARCHAR")
                .key("code");
        var findings = check("t", t);
        assertThat(findings.problems()).isEmpty();
        assertThat(lines(findings.warnings()))
                .contains("its replica identity does not cover Feldera's key [code]")
                .contains("ALTER TABLE public.t REPLICA IDENTITY FULL");
        assertThat(check("t", t.identity(ReplicaIdentity.FULL)).warnings())
                .noneSatisfy(finding -> assertThat(finding.why()).contains("replica identity"))
                .anySatisfy(
                        finding -> assertThat(finding.why()).contains("no unique index within Feldera's key [code]"));
    }

    /** The index is on {@code id}. */
    @Test
    void anIndexAsIdentityIsNamedByItsColumns() {
        var covered = fitting("t").identity(ReplicaIdentity.INDEX);
        assertThat(check("t", covered).warnings()).isEmpty();
        var other = new TableFixture("t")
                .both("id", INT4, "INTEGER!")
                .both("code", TEXT, "VARCHAR!")
                .key("code")
                .identity(ReplicaIdentity.INDEX);
        var wider = new TableFixture("t")
                .both("id", INT4, "INTEGER!")
                .both("code", TEXT, "VARCHAR!")
                .key("id", "code")
                .identity(ReplicaIdentity.INDEX);
        for (TableFixture table : List.of(other, wider)) {
            assertThat(check("t", table).problems()).isEmpty();
            assertThat(lines(check("t", table).warnings()))
                    .contains(
                            "public.t -> t: updates and deletes of it will stop the connector, as its replica identity does not cover"
                                    + " Feldera's key")
                    .contains(", only id; ALTER TABLE public.t REPLICA IDENTITY FULL");
        }
    }

    @Test
    void aPartitionThatLogsTooLittleIsWarnedOfWhereItIsNeeded() {
        var byKey = new TableShape.Partition(
                new RelationName("public", "t_1"), ReplicaIdentity.DEFAULT, List.of("id"), true);
        var byCode = new TableShape.Partition(
                new RelationName("public", "T_2"), ReplicaIdentity.INDEX, List.of("code"), true);
        var none =
                new TableShape.Partition(new RelationName("public", "t_3"), ReplicaIdentity.NOTHING, List.of(), true);
        var full = new TableShape.Partition(new RelationName("public", "t_4"), ReplicaIdentity.FULL, List.of(), true);
        var keyed = fitting("t").identity(ReplicaIdentity.FULL);
        assertThat(check("t", keyed.partitions(byKey, none, full)).warnings()).isEmpty();
        var other = check("t", keyed.partitions(byKey, byCode, full));
        assertThat(other.problems()).isEmpty();
        assertThat(lines(other.warnings()))
                .isEqualTo(
                        "public.t -> t: its partition public.T_2 has a replica identity of its own and logs only code of an old"
                                + " row, where Feldera's key is needed: once it was written to, updates and deletes of the table will"
                                + " stop the connector; ALTER TABLE public.\"T_2\" REPLICA IDENTITY FULL");
        assertThat(lines(check("t", keyed.deferrable().partitions(byKey, none, full))
                        .warnings()))
                .contains("its partition public.t_1", "logs only id", "where whole rows are needed");
    }

    @Test
    void whatWillNotArriveIsWarnedOf() {
        var t = fitting("t")
                .both("price", 1700, "DECIMAL(10,2)")
                .both("ratio", 701, "REAL")
                .both("label", TEXT, "VARCHAR(10)")
                .both("rank", INT4, "INTEGER!");
        var findings = check("t", t, fitting("other"));
        assertThat(findings.problems()).isEmpty();
        assertThat(lines(findings.warnings()))
                .contains(
                        "column price: numeric into DECIMAL(10, 2): digits beyond the first 2 after the point are cut")
                .contains("column ratio: float8 into REAL")
                .contains("column label: other into VARCHAR(10): longer text than its 10 characters")
                .contains("column rank: it is NOT NULL in Feldera and not in PostgreSQL")
                .contains("table public.other: it is published and not in tables: the first write to it stops");
    }

    @Test
    void aKeyThatWouldLoseDigitsIsAProblem() {
        var t = new TableFixture("t").both("id", 701, "REAL!").key("id");
        assertThat(lines(check("t", t).problems())).contains("column id: float8 into REAL");
    }

    @Test
    void namesThatFelderaCannotTellApartAreAProblem() {
        var t = fitting("t").target("\"Id\"", "INTEGER");
        assertThat(lines(check("t", t).problems())).contains("column \"Id\"").contains("but for case");
    }

    @Test
    void aQuotedFelderaTableIsFoundByItsCanonicalName() {
        var lower = new TableFixture("\"users\"").both("id", INT4, "INTEGER!").key("id");
        var shape = fitting("users").shape();
        assertThat(StartCheck.of(publication(shape), List.of(lower.feldera()), settings("users"))
                        .problems())
                .noneSatisfy(finding -> assertThat(finding.what()).contains("Feldera table"));
        var upper = new TableFixture("\"USERS\"").both("id", INT4, "INTEGER!").key("id");
        assertThat(lines(StartCheck.of(publication(shape), List.of(upper.feldera()), settings("users:USERS"))
                        .problems()))
                .contains("Feldera table users: the pipeline has no such input table, only \"USERS\"");
    }

    @Test
    void moreTablesThanFelderaHasConnectionsAreAProblem() {
        List<TableFixture> tables =
                IntStream.range(0, 101).mapToObj(i -> fitting("t" + i)).toList();
        String routes = tables.stream().map(t -> t.shape().name().table()).collect(Collectors.joining(","));
        assertThat(lines(check(routes, tables.toArray(TableFixture[]::new)).problems()))
                .contains("101 tables")
                .contains("100 API connections");
        assertThat(check(routes.substring(routes.indexOf(',') + 1), tables.toArray(TableFixture[]::new))
                        .problems())
                .isEmpty();
    }

    private static StartCheck.Findings check(String routes, TableFixture... tables) {
        TableShape[] shapes = Arrays.stream(tables).map(TableFixture::shape).toArray(TableShape[]::new);
        List<FelderaTable> inputs =
                Arrays.stream(tables).map(TableFixture::feldera).toList();
        return StartCheck.of(publication(shapes), inputs, settings(routes));
    }

    private static TableFixture fitting(String name) {
        return new TableFixture(name).both("id", INT4, "INTEGER!").key("id");
    }

    private static String lines(List<Finding> findings) {
        return findings.stream().map(Finding::toString).collect(Collectors.joining("\n"));
    }
}
