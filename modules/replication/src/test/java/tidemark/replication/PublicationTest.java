package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.replication.SourceFailure.Kind;
import tidemark.replication.SourceSession.Publication;
import tidemark.replication.TableShape.UniqueKey;

/** The catalog says what goes out, whatever tables are called and however types are nested. Copies follow it. */
class PublicationTest {
    private final TestPostgres postgres = TestPostgres.shared();
    private String database;

    @BeforeEach
    void anEmptyDatabase() {
        database = postgres.newDatabase();
    }

    @AfterEach
    void dropSlots() {
        postgres.dropSlots(database);
    }

    @Test
    void columnsCarryKeyNullabilityAndTheTypeBelowEveryDomain() {
        postgres.execute(
                database,
                "CREATE DOMAIN amount AS numeric(10, 2)",
                "CREATE DOMAIN price AS amount NOT NULL",
                "CREATE TYPE mood AS ENUM ('sad', 'ok')",
                "CREATE TABLE t (note varchar(20), gone int, b int NOT NULL, a int, cost price, m mood, PRIMARY KEY (a, b))",
                "ALTER TABLE t DROP COLUMN gone",
                "INSERT INTO t VALUES ('x', 1, 2, 3.5, 'ok')",
                "ANALYZE t",
                "CREATE PUBLICATION p FOR TABLE t");
        TableShape table = read("p").tables().getFirst();
        assertThat(table.name()).isEqualTo(new RelationName("public", "t"));
        assertThat(table.identity()).isEqualTo(ReplicaIdentity.DEFAULT);
        assertThat(table.estimatedRows()).isEqualTo(1);
        assertThat(names(table)).containsExactly("note", "b", "a", "cost", "m");
        assertThat(column(table, "note").typeModifier()).isEqualTo(24); // atttypmod of varchar(20): 20 + 4
        assertThat(column(table, "note").typeName()).isEqualTo("character varying(20)");
        assertThat(column(table, "note").notNull()).isFalse();
        assertThat(column(table, "a").partOfPrimaryKey()).isTrue();
        assertThat(column(table, "a").notNull()).isTrue();
        assertThat(column(table, "a").type()).isEqualTo(new TypeShape.Scalar(23, "integer", -1, ""));
        assertThat(column(table, "b").partOfPrimaryKey()).isTrue();
        assertThat(column(table, "m").partOfPrimaryKey()).isFalse();
        TableShape.Column cost = column(table, "cost");
        int numeric10v2 = (10 << 16 | 2) + 4;
        assertThat(cost.type().belowDomains()).isEqualTo(new TypeShape.Scalar(1700, "numeric", numeric10v2, ""));
        assertThat(cost.typeOid()).isNotEqualTo(1700);
        assertThat(cost.typeModifier()).isEqualTo(-1);
        assertThat(cost.notNull()).isTrue();
        assertThat(cost.typeName()).isEqualTo("public.price");
    }

    /** As autovacuum does, which never analyzes a root. */
    @Test
    void aPartitionedTableHasAboutTheRowsOfItsLeaves() {
        postgres.execute(
                database,
                "CREATE TABLE t (id int PRIMARY KEY) PARTITION BY RANGE (id)",
                "CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE t_2 PARTITION OF t FOR VALUES FROM (10) TO (30) PARTITION BY RANGE (id)",
                "CREATE TABLE t_21 PARTITION OF t_2 FOR VALUES FROM (10) TO (20)",
                "INSERT INTO t SELECT generate_series(0, 19)",
                "ANALYZE t_1",
                "ANALYZE t_21",
                "CREATE PUBLICATION p FOR TABLE t WITH (publish_via_partition_root = true)");
        assertThat(read("p").tables().getFirst().estimatedRows()).isEqualTo(20);
    }

    @Test
    void namesAreReadExactlyAndNeverAsPatterns() {
        postgres.execute(
                database,
                "CREATE SCHEMA \"my.schema\"",
                "CREATE TABLE \"my.schema\".\"a\"\"b.c%_'\" (\"id'\"\"x\" int PRIMARY KEY, \"Ünï\" text)",
                "CREATE TABLE \"my.schema\".\"a\"\"b.cXX'\" (other int)",
                "INSERT INTO \"my.schema\".\"a\"\"b.c%_'\" VALUES (1, 'one')",
                "CREATE PUBLICATION \"P's\" FOR TABLE \"my.schema\".\"a\"\"b.c%_'\"");
        Publication publication = read("P's");
        assertThat(publication.tables()).hasSize(1);
        TableShape table = publication.tables().getFirst();
        assertThat(table.name()).isEqualTo(new RelationName("my.schema", "a\"b.c%_'"));
        assertThat(names(table)).containsExactly("id'\"x", "Ünï");
        assertThat(copied("P's")).containsExactly(List.of("1", "one"));
    }

    @Test
    void publishedOperationsAreRead() {
        postgres.execute(
                database,
                "CREATE TABLE t (id int PRIMARY KEY)",
                "CREATE PUBLICATION p FOR TABLE t WITH (publish = 'insert, delete')");
        Publication publication = read("p");
        assertThat(publication.name()).isEqualTo("p");
        assertThat(publication.inserts()).isTrue();
        assertThat(publication.updates()).isFalse();
        assertThat(publication.deletes()).isTrue();
        assertThat(publication.truncates()).isFalse();
        assertThat(publication.viaPartitionRoot()).isFalse();
    }

    @Test
    void aPublicationForAllTablesListsThemWithTheirIdentities() {
        postgres.execute(
                database,
                "CREATE TABLE a (id int PRIMARY KEY)",
                "CREATE TABLE b (id int NOT NULL)",
                "CREATE UNIQUE INDEX b_id ON b (id)",
                "ALTER TABLE b REPLICA IDENTITY USING INDEX b_id",
                "CREATE TABLE c (id int)",
                "ALTER TABLE c REPLICA IDENTITY FULL",
                "CREATE TABLE d (id int)",
                "ALTER TABLE d REPLICA IDENTITY NOTHING",
                "CREATE PUBLICATION p FOR ALL TABLES");
        assertThat(read("p").tables())
                .extracting(TableShape::identity)
                .containsExactly(
                        ReplicaIdentity.DEFAULT, ReplicaIdentity.INDEX, ReplicaIdentity.FULL, ReplicaIdentity.NOTHING);
    }

    @Test
    void rowFilterAndColumnListBoundTheCopy() {
        assumeTrue(postgres.serverMajor() >= 15, "row filters and column lists came with 15");
        postgres.execute(
                database,
                "CREATE TABLE t (id int PRIMARY KEY, secret text, \"Kept\" text)",
                "INSERT INTO t VALUES (1, 's', 'a'), (2, 's', 'b'), (3, 's', 'c')",
                "CREATE PUBLICATION p FOR TABLE t (id, \"Kept\") WHERE (id <> 2 AND id < 10)");
        TableShape table = read("p").tables().getFirst();
        assertThat(names(table)).containsExactly("id", "Kept");
        assertThat(table.rowFilter()).isPresent();
        assertThat(copied("p")).containsExactlyInAnyOrder(List.of("1", "a"), List.of("3", "c"));
    }

    @Test
    void aPartitionedTableIsPublishedByItsLeavesOrByItsRoot() {
        postgres.execute(
                database,
                "CREATE TABLE root (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
                "CREATE TABLE low PARTITION OF root FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE high PARTITION OF root FOR VALUES FROM (10) TO (20)",
                "INSERT INTO root VALUES (1, 'a'), (11, 'b')",
                "CREATE PUBLICATION leaves FOR TABLE root",
                "CREATE PUBLICATION whole FOR TABLE root WITH (publish_via_partition_root = true)");
        assertThat(read("leaves").tables()).extracting(t -> t.name().table()).containsExactly("high", "low");
        assertThat(read("leaves").viaPartitionRoot()).isFalse();
        assertThat(copied("leaves")).containsExactlyInAnyOrder(List.of("11", "b"));
        assertThat(read("whole").viaPartitionRoot()).isTrue();
        assertThat(read("whole").tables()).extracting(t -> t.name().table()).containsExactly("root");
        assertThat(column(read("whole").tables().getFirst(), "id").partOfPrimaryKey())
                .isTrue();
        assertThat(copied("whole")).containsExactlyInAnyOrder(List.of("1", "a"), List.of("11", "b"));
    }

    /** Two rows under one such key are never in the stream at once. */
    @Test
    void uniqueKeysAreThoseThatAreCheckedRowByRow() {
        postgres.execute(
                database,
                "CREATE TABLE t (a int PRIMARY KEY, b int NOT NULL, c int, d int, e int, f text, g int)",
                "CREATE UNIQUE INDEX ON t (c, b) INCLUDE (d)",
                "ALTER TABLE t ADD CONSTRAINT later UNIQUE (d) DEFERRABLE",
                "CREATE UNIQUE INDEX ON t (e) WHERE e > 0",
                "CREATE UNIQUE INDEX ON t (lower(f))",
                "CREATE UNIQUE INDEX ON t (b, lower(f))",
                "CREATE UNIQUE INDEX t_b ON t (b)",
                "CREATE INDEX ON t (g)",
                "ALTER TABLE t REPLICA IDENTITY USING INDEX t_b",
                "INSERT INTO t VALUES (1, 1, 1, 1, 1, 'a', 5), (2, 2, 2, 2, 2, 'b', 5)",
                "CREATE PUBLICATION p FOR TABLE t");
        assertThatThrownBy(() -> postgres.execute(database, "CREATE UNIQUE INDEX CONCURRENTLY invalid ON t (g)"));
        assertThat(postgres.query(database, "SELECT indisvalid FROM pg_index WHERE indexrelid = 'invalid'::regclass"))
                .isEqualTo("f");
        TableShape table = read("p").tables().getFirst();
        assertThat(table.uniqueKeys())
                .extracting(UniqueKey::columns, UniqueKey::primary, UniqueKey::replicaIdentity)
                .containsExactlyInAnyOrder(
                        tuple(List.of("a"), true, false),
                        tuple(List.of("c", "b"), false, false),
                        tuple(List.of("b"), false, true));
        assertThat(table.identityColumns()).containsExactly("b");
    }

    /** What is immediate with a mark that was there before was immediate then. */
    @Test
    void aUniqueKeysMarkIsAnotherOneWhereverItsChecksMayBe() {
        postgres.execute(
                database,
                "CREATE TABLE t (a int PRIMARY KEY, b int NOT NULL)",
                "CREATE UNIQUE INDEX t_b ON t (b)",
                "CREATE PUBLICATION p FOR TABLE t");
        List<String> marks = marks();
        assertThat(marks).hasSize(2);
        postgres.execute(database, "REINDEX INDEX CONCURRENTLY t_pkey", "VACUUM FULL t", "REINDEX TABLE t");
        assertThat(marks()).isEqualTo(marks);
        postgres.execute(database, "REINDEX INDEX CONCURRENTLY t_b");
        assertThat(marks()).as("of an index without constraint").startsWith(marks.getFirst());
        assertThat(marks()).doesNotContain(marks.getLast());
        for (String change : List.of("NOT DEFERRABLE", "DEFERRABLE")) {
            assertThatThrownBy(() -> postgres.execute(database, "ALTER TABLE t ALTER CONSTRAINT t_pkey " + change))
                    .rootCause()
                    .hasMessageContaining("not a foreign key constraint");
        }
        postgres.execute(database, "ALTER TABLE t ADD CONSTRAINT later UNIQUE USING INDEX t_b DEFERRABLE");
        assertThat(marks()).containsExactly(marks.getFirst());
        postgres.execute(database, "ALTER TABLE t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (a)");
        assertThat(marks()).hasSize(1).doesNotContainAnyElementsOf(marks);
    }

    private List<String> marks() {
        TableShape table = read("p").tables().getFirst();
        List<String> marks = table.uniqueKeys().stream().map(UniqueKey::mark).toList();
        try (var source = new PostgresSource(postgres.settings(database, "s", "p"), InstantSource.system())) {
            assertThat(source.editions(List.of(table.name())).getFirst().uniqueKeys())
                    .as("the edition's")
                    .containsExactlyInAnyOrderElementsOf(marks);
        }
        return marks;
    }

    /** Several rows may have a null in it, or, from 15 on, one. */
    @Test
    void aUniqueKeyMayHaveNullsInIt() {
        assumeTrue(Integer.parseInt(postgres.query(database, "SHOW server_version_num")) >= 150_000, "15 and later");
        postgres.execute(
                database,
                "CREATE TABLE t (a int UNIQUE NULLS NOT DISTINCT, b int PRIMARY KEY DEFERRABLE)",
                "CREATE PUBLICATION p FOR TABLE t");
        TableShape table = read("p").tables().getFirst();
        assertThat(table.uniqueKeys()).extracting(UniqueKey::columns).containsExactly(List.of("a"));
        assertThat(table.identityColumns()).as("a deferrable key is none").isEmpty();
    }

    @Test
    void aPartitionedTableSaysWhatItsLeavesLog() {
        postgres.execute(
                database,
                "CREATE TABLE t (a int, b int NOT NULL, PRIMARY KEY (a)) PARTITION BY RANGE (a)",
                "CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE t_2 PARTITION OF t FOR VALUES FROM (10) TO (30) PARTITION BY RANGE (a)",
                "CREATE TABLE t_21 PARTITION OF t_2 FOR VALUES FROM (10) TO (20)",
                "CREATE TABLE t_22 PARTITION OF t_2 FOR VALUES FROM (20) TO (30)",
                "CREATE TABLE t_3 PARTITION OF t FOR VALUES FROM (30) TO (40)",
                "ALTER TABLE t REPLICA IDENTITY FULL",
                "ALTER TABLE t_21 REPLICA IDENTITY FULL",
                "CREATE UNIQUE INDEX t_22_b ON t_22 (b)",
                "ALTER TABLE t_22 REPLICA IDENTITY USING INDEX t_22_b",
                "ALTER TABLE t_3 REPLICA IDENTITY NOTHING",
                "CREATE TABLE plain (a int)",
                "CREATE PUBLICATION p FOR TABLE plain, t WITH (publish_via_partition_root = true)");
        List<TableShape> tables = read("p").tables();
        assertThat(tables.getFirst().partitions()).isEmpty();
        assertThat(tables.getLast().partitions().orElseThrow())
                .containsExactly(
                        leaf("t_1", ReplicaIdentity.DEFAULT, "a"),
                        leaf("t_21", ReplicaIdentity.FULL),
                        leaf("t_22", ReplicaIdentity.INDEX, "b"),
                        leaf("t_3", ReplicaIdentity.NOTHING));
    }

    private static TableShape.Partition leaf(String name, ReplicaIdentity identity, String... logged) {
        return new TableShape.Partition(new RelationName("public", name), identity, List.of(logged), true);
    }

    /** A child's rows are published under the child's name; the parent's copy must not hold them as well. */
    @Test
    void aCopyOfAParentLeavesOutTheRowsOfItsChildren() {
        postgres.execute(
                database,
                "CREATE TABLE parent (id int)",
                "CREATE TABLE child () INHERITS (parent)",
                "INSERT INTO parent VALUES (1)",
                "INSERT INTO child VALUES (2)",
                "CREATE PUBLICATION p FOR TABLE ONLY parent");
        assertThat(copied("p")).containsExactly(List.of("1"));
    }

    @Test
    void generatedColumnsAreLeftOutUnlessThePublicationHasThem() {
        postgres.execute(
                database,
                "CREATE TABLE t (id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED)",
                "INSERT INTO t VALUES (4)",
                "CREATE PUBLICATION p FOR TABLE t");
        assertThat(names(read("p").tables().getFirst())).containsExactly("id");
        assertThat(copied("p")).containsExactly(List.of("4"));
        if (postgres.serverMajor() < 18) return;
        postgres.execute(database, "CREATE PUBLICATION stored FOR TABLE t WITH (publish_generated_columns = stored)");
        assertThat(names(read("stored").tables().getFirst())).containsExactly("id", "twice");
        assertThat(copied("stored")).containsExactly(List.of("4", "8"));
    }

    @Test
    void aTableSaysWhichGrantsItsReaderLacks() {
        String role = "reader_" + database;
        postgres.execute(
                database,
                "CREATE ROLE %s LOGIN REPLICATION".formatted(role),
                "CREATE SCHEMA \"S\"",
                "CREATE TABLE \"S\".hidden (id int PRIMARY KEY)",
                "CREATE TABLE a (id int PRIMARY KEY)",
                "CREATE TABLE b (id int PRIMARY KEY, \"B\" text, c text)",
                "GRANT SELECT (id, c) ON b TO " + role,
                "CREATE TABLE c (id int PRIMARY KEY, mine bool)",
                "GRANT SELECT ON c TO " + role,
                "ALTER TABLE c ENABLE ROW LEVEL SECURITY",
                "CREATE TABLE d (id int PRIMARY KEY)",
                "GRANT SELECT ON d TO " + role,
                "CREATE PUBLICATION p FOR ALL TABLES");
        assertThat(read(postgres.settings(database, "publication_" + database, "p", role))
                        .tables())
                .extracting(TableShape::missingGrants)
                .containsExactly(
                        List.of("GRANT USAGE ON SCHEMA \"S\" TO " + role, "GRANT SELECT ON \"S\".hidden TO " + role),
                        List.of("GRANT SELECT ON public.a TO " + role),
                        List.of("GRANT SELECT (\"B\") ON public.b TO " + role),
                        List.of("ALTER ROLE %s BYPASSRLS".formatted(role)),
                        List.of());
        assertThat(read("p").tables())
                .as("the superuser")
                .allSatisfy(table -> assertThat(table.missingGrants()).isEmpty());
    }

    @Test
    void aColumnListAsksForItsOwnColumnsOnly() {
        assumeTrue(postgres.serverMajor() >= 15, "column lists came with 15");
        String role = "narrow_" + database;
        postgres.execute(
                database,
                "CREATE ROLE %s LOGIN REPLICATION".formatted(role),
                "CREATE TABLE t (id int PRIMARY KEY, secret text)",
                "CREATE PUBLICATION p FOR TABLE t (id)");
        var settings = postgres.settings(database, "publication_" + database, "p", role);
        assertThat(read(settings).tables().getFirst().missingGrants())
                .containsExactly("GRANT SELECT (id) ON public.t TO " + role);
        postgres.execute(database, "GRANT SELECT (id) ON public.t TO " + role);
        assertThat(read(settings).tables().getFirst().missingGrants()).isEmpty();
    }

    @Test
    void aMissingPublicationIsMisconfiguredAndNamesTheOthers() {
        postgres.execute(database, "CREATE PUBLICATION \"Other\"", "CREATE PUBLICATION another");
        assertThatThrownBy(() -> read("p\"x")).isInstanceOfSatisfying(SourceFailure.class, e -> {
            assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED);
            assertThat(e.getMessage()).contains("\"p\"\"x\"", "\"Other\", another");
            assertThat(e.remedy()).contains("CREATE PUBLICATION \"p\"\"x\" FOR TABLE");
        });
    }

    private Publication read(String publication) {
        return read(postgres.settings(database, "publication_" + database, publication));
    }

    private static Publication read(PostgresSettings settings) {
        try (PostgresSource source = new PostgresSource(settings, InstantSource.system());
                SourceSession session = source.open()) {
            return session.publication();
        }
    }

    /** The first table's rows, through a snapshot beside the slot. */
    private List<List<String>> copied(String publication) {
        try (PostgresSource source = source(publication);
                SourceSession session = source.open();
                Snapshot snapshot = session.snapshotBesideSlot();
                TableCopy copy = snapshot.copy(session.publication().tables().getFirst())) {
            return StreamProbe.rows(copy);
        }
    }

    private PostgresSource source(String publication) {
        return new PostgresSource(
                postgres.settings(database, "publication_" + database, publication), InstantSource.system());
    }

    private static List<String> names(TableShape table) {
        return table.columns().stream().map(TableShape.Column::name).toList();
    }

    private static TableShape.Column column(TableShape table, String name) {
        return table.columns().stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
