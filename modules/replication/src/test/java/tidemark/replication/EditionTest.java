package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.decode.RelationName;
import tidemark.replication.TableEdition.Column;
import tidemark.replication.TableEdition.Store;

/** What the stream does not tell makes another edition, also once it was undone; what it does tell does not. */
class EditionTest {
    private final TestPostgres postgres = TestPostgres.shared();
    private String database;
    private PostgresSource source;

    @BeforeEach
    void anEmptyDatabase() {
        database = postgres.newDatabase();
        source = new PostgresSource(postgres.settings(database, "edition_" + database, "p"), InstantSource.system());
    }

    @AfterEach
    void close() {
        source.close();
    }

    @Test
    void whatIsStreamedLeavesTheEditionAlone() {
        sql(
                "CREATE TABLE t (id int PRIMARY KEY, v text)",
                "CREATE TABLE other (id int PRIMARY KEY)",
                "CREATE PUBLICATION p FOR TABLE t");
        TableEdition before = edition("t");
        assertThat(before.isPartitioned()).isFalse();
        assertThat(before.membership()).isPresent();
        assertThat(before.columns()).extracting(Column::name).containsExactly("id", "v");
        sql(
                "INSERT INTO t SELECT g, 'x' FROM generate_series(1, 1000) g",
                "UPDATE t SET v = 'y'",
                "DELETE FROM t WHERE id > 10",
                "VACUUM FREEZE t",
                "VACUUM FREEZE pg_catalog.pg_publication",
                "VACUUM FREEZE pg_catalog.pg_publication_rel",
                "VACUUM FREEZE pg_catalog.pg_attribute",
                "ANALYZE t",
                "CREATE INDEX ON t (v)",
                "GRANT SELECT ON t TO PUBLIC",
                "ALTER PUBLICATION p ADD TABLE other");
        assertThat(edition("t")).isEqualTo(before);
    }

    @Test
    void aTableThatLeftThePublicationAndCameBackHasAnotherMembership() {
        sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE PUBLICATION p FOR TABLE t");
        Optional<String> before = edition("t").membership();
        sql("ALTER PUBLICATION p DROP TABLE t");
        assertThat(edition("t").membership()).isEmpty();
        sql("ALTER PUBLICATION p ADD TABLE t");
        assertThat(edition("t").membership()).isPresent().isNotEqualTo(before);
    }

    @Test
    void anotherRowFilterOrColumnListIsAnotherMembership() {
        assumeTrue(postgres.serverMajor() >= 15, "row filters and column lists came with 15");
        sql("CREATE TABLE t (id int PRIMARY KEY, a int, b int)", "CREATE PUBLICATION p FOR TABLE t WHERE (id > 1)");
        Optional<String> filtered = edition("t").membership();
        sql("ALTER PUBLICATION p SET TABLE t WHERE (id > 1)");
        assertThat(edition("t").membership()).as("the same filter").isEqualTo(filtered);
        sql("ALTER PUBLICATION p SET TABLE t WHERE (id > 2)");
        assertThat(edition("t").membership()).isNotEqualTo(filtered);
        sql("ALTER PUBLICATION p SET TABLE t (id, b)");
        Optional<String> listed = edition("t").membership();
        assertThat(edition("t").columns()).extracting(Column::name).containsExactly("id", "b");
        sql("ALTER PUBLICATION p SET TABLE t (id, a)");
        assertThat(edition("t").membership()).isNotEqualTo(listed);
    }

    @Test
    void aPublicationThatLeftOutAnOperationForAWhileIsAnotherOne() {
        sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE PUBLICATION p FOR ALL TABLES");
        Optional<String> before = edition("t").membership();
        sql(
                "ALTER PUBLICATION p SET (publish = 'insert')",
                "ALTER PUBLICATION p SET (publish = 'insert, update, delete, truncate')");
        assertThat(edition("t").membership()).isPresent().isNotEqualTo(before);
    }

    @Test
    void aTableOfAPublishedSchemaIsAMember() {
        assumeTrue(postgres.serverMajor() >= 15, "schemas are published from 15 on");
        sql(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (id int PRIMARY KEY)",
                "CREATE TABLE t (id int PRIMARY KEY)",
                "CREATE PUBLICATION p FOR TABLES IN SCHEMA s");
        List<TableEdition> both = source.editions(List.of(new RelationName("public", "t"), new RelationName("s", "t")));
        assertThat(both).extracting(table -> table.name().schema()).containsExactly("public", "s");
        assertThat(both).extracting(table -> table.membership().isPresent()).containsExactly(false, true);
    }

    /** As {@code pg_publication_tables} has it: whatever publishes a table, and however often. */
    @Test
    void membershipIsWhatTheViewOfPublishedTablesSays() {
        sql(
                "CREATE TABLE plain (id int PRIMARY KEY)",
                "CREATE UNLOGGED TABLE fleeting (id int PRIMARY KEY)",
                "CREATE TABLE root (id int PRIMARY KEY) PARTITION BY RANGE (id)",
                "CREATE TABLE leaf PARTITION OF root FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE sub PARTITION OF root FOR VALUES FROM (10) TO (20) PARTITION BY RANGE (id)",
                "CREATE TABLE subleaf PARTITION OF sub FOR VALUES FROM (10) TO (20)",
                "CREATE TABLE parent (id int PRIMARY KEY)",
                "CREATE TABLE child () INHERITS (parent)");
        membershipsAreTheViews("FOR ALL TABLES");
        membershipsAreTheViews("FOR TABLE plain, root");
        membershipsAreTheViews("FOR TABLE root, leaf, sub");
        membershipsAreTheViews("FOR TABLE sub, leaf, parent");
        membershipsAreTheViews("FOR TABLE subleaf, ONLY parent");
        if (postgres.serverMajor() < 15) return;
        membershipsAreTheViews("FOR TABLES IN SCHEMA public");
        membershipsAreTheViews("FOR TABLE plain, TABLES IN SCHEMA public");
    }

    private void membershipsAreTheViews(String tables) {
        for (boolean viaRoot : new boolean[] {true, false}) {
            sql(
                    "DROP PUBLICATION IF EXISTS p",
                    "CREATE PUBLICATION p %s WITH (publish_via_partition_root = %s)".formatted(tables, viaRoot));
            for (String table : List.of("plain", "fleeting", "root", "leaf", "sub", "subleaf", "parent", "child")) {
                String listed = postgres.query(
                        database,
                        "SELECT count(*) > 0 FROM pg_publication_tables WHERE pubname = 'p' AND tablename = '" + table
                                + "'");
                assertThat(edition(table).membership().isPresent())
                        .as("%s in %s via root %s", table, tables, viaRoot)
                        .isEqualTo(listed.equals("t"));
            }
        }
    }

    @Test
    void partitionsThatComeAndGoAreOtherStores() {
        partitioned();
        List<Store> before = edition("t").stores();
        assertThat(edition("t").isPartitioned()).isTrue();
        assertThat(before).extracting(Store::name).containsExactly("low", "sub_high");
        sql("ALTER TABLE t DETACH PARTITION low", "ALTER TABLE t ATTACH PARTITION low FOR VALUES FROM (0) TO (10)");
        List<Store> after = edition("t").stores();
        assertThat(after)
                .extracting(Store::oid)
                .isEqualTo(before.stream().map(Store::oid).toList());
        assertThat(after.getFirst().attachment()).isNotEqualTo(before.getFirst().attachment());
        assertThat(after.getLast()).isEqualTo(before.getLast());
        sql("ALTER TABLE t DETACH PARTITION sub");
        assertThat(edition("t").stores()).extracting(Store::name).containsExactly("low");
    }

    /** Also by whoever makes, fills and attaches it in one transaction, of whose rows the stream says nothing. */
    @Test
    void aPartitionWasATableOfItsOwnIfItWasAttached() {
        partitioned();
        sql(
                "CREATE TABLE made PARTITION OF t FOR VALUES FROM (20) TO (30)",
                "CREATE TABLE attached (LIKE t)",
                "ALTER TABLE t ATTACH PARTITION attached FOR VALUES FROM (30) TO (40)",
                "BEGIN; CREATE TABLE empty (LIKE t); ALTER TABLE t ATTACH PARTITION empty FOR VALUES FROM (40) TO (50); COMMIT",
                "BEGIN; CREATE TABLE filled (LIKE t); INSERT INTO filled VALUES (51);"
                        + " ALTER TABLE t ATTACH PARTITION filled FOR VALUES FROM (50) TO (60); COMMIT",
                "BEGIN; CREATE TABLE two PARTITION OF t FOR VALUES FROM (60) TO (70); INSERT INTO t VALUES (61); COMMIT",
                "BEGIN; CREATE TABLE twig PARTITION OF t FOR VALUES FROM (70) TO (80) PARTITION BY RANGE (id);"
                        + " CREATE TABLE twigleaf PARTITION OF twig FOR VALUES FROM (70) TO (75); COMMIT",
                "CREATE TABLE bough (LIKE t) PARTITION BY RANGE (id)",
                "CREATE TABLE boughleaf PARTITION OF bough FOR VALUES FROM (80) TO (90)",
                "ALTER TABLE t ATTACH PARTITION bough FOR VALUES FROM (80) TO (90)");
        assertThat(edition("t").stores())
                .filteredOn(Store::attached)
                .extracting(Store::name)
                .containsExactly("attached", "boughleaf", "empty", "filled");
        sql(
                "TRUNCATE made",
                "GRANT SELECT ON made TO PUBLIC",
                "CREATE INDEX ON made (v)",
                "ALTER TABLE t ADD COLUMN w int",
                "VACUUM FREEZE pg_catalog.pg_attribute",
                "VACUUM FREEZE pg_catalog.pg_inherits");
        assertThat(edition("t").stores())
                .as("whatever happened since")
                .filteredOn(store -> store.name().equals("made"))
                .noneMatch(Store::attached);
    }

    @Test
    void aPartitionThatWasTruncatedHasAnotherFile() {
        partitioned();
        List<Store> before = edition("t").stores();
        sql("INSERT INTO t VALUES (1, 'a')", "TRUNCATE low");
        List<Store> after = edition("t").stores();
        assertThat(after.getFirst().file()).isNotEqualTo(before.getFirst().file());
        assertThat(after.getFirst().attachment()).isEqualTo(before.getFirst().attachment());
        assertThat(after.getLast()).isEqualTo(before.getLast());
    }

    @Test
    void aColumnAddedWithADefaultFillsOlderRows() {
        partitioned();
        sql("CREATE TABLE plain (id int PRIMARY KEY)");
        sql("ALTER TABLE plain ADD COLUMN a int", "ALTER TABLE plain ADD COLUMN b int DEFAULT 7");
        sql("ALTER TABLE t ADD COLUMN a int", "ALTER TABLE t ADD COLUMN b int DEFAULT 7");
        for (String table : List.of("plain", "t")) {
            assertThat(edition(table).columns())
                    .as(table)
                    .filteredOn(Column::filled)
                    .extracting(Column::name)
                    .containsExactly("b");
        }
    }

    /** What ALTER COLUMN … TYPE does to a column that keeps its type, and others do by halves. */
    @Test
    void aColumnWhoseValuesWereRewrittenHasAnotherMarkInATableWithAnotherFile() {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)", "INSERT INTO t VALUES (1, 'a')");
        assertThat(alteredBy("ALTER TABLE t ALTER v TYPE text USING upper(v)")).isEqualTo("column and file");
        assertThat(alteredBy("ALTER TABLE t ALTER v SET STATISTICS 10")).isEqualTo("column");
        assertThat(alteredBy("ALTER TABLE t ALTER v SET NOT NULL")).isEqualTo("column");
        assertThat(alteredBy("VACUUM FULL t")).isEqualTo("file");
        assertThat(alteredBy("CLUSTER t USING t_pkey")).isEqualTo("file");
        assertThat(alteredBy("TRUNCATE t")).isEqualTo("file");
        assertThat(alteredBy("ANALYZE t")).isEqualTo("nothing");
        assertThat(alteredBy("ALTER TABLE t ALTER id TYPE bigint")).isEqualTo("file");
    }

    private String alteredBy(String statement) {
        TableEdition before = edition("t");
        sql(statement);
        TableEdition after = edition("t");
        boolean column = before.columns().getLast().isAltered(after.columns().getLast());
        boolean file =
                before.stores().getFirst().file() != after.stores().getFirst().file();
        if (column && file) return "column and file";
        if (column) return "column";
        return file ? "file" : "nothing";
    }

    @Test
    void fieldsAndLabelsAreThoseOfTheTypesThatATypeIsMadeOf() {
        sql(
                "CREATE TYPE mood AS ENUM ('sad', 'ok')",
                "CREATE TYPE pair AS (x int, y mood)",
                "CREATE DOMAIN pairs AS pair[]",
                "CREATE TABLE t (id int PRIMARY KEY, v pairs)");
        Column before = edition("t").columns().getLast();
        assertThat(before.fields()).hasSize(2).allMatch(mark -> mark.matches("\\d+\\.[12]\\.[xy]"));
        assertThat(before.labels()).hasSize(2).allMatch(mark -> mark.matches("\\d+\\.(sad|ok)"));
        sql("ALTER TYPE mood ADD VALUE 'glad'");
        assertThat(edition("t").columns().getLast().labels()).hasSize(3).containsAll(before.labels());
        sql("ALTER TYPE mood RENAME VALUE 'sad' TO 'low'");
        assertThat(edition("t").columns().getLast().labels()).hasSize(3).doesNotContainSequence(before.labels());
        assertThat(edition("t").columns().getFirst().labels()).isEmpty();
    }

    @Test
    void aColumnDroppedAndAddedAgainIsAnotherOneAndARenamedOneIsNot() {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        Column before = edition("t").columns().getLast();
        sql("ALTER TABLE t RENAME v TO w");
        assertThat(edition("t").columns().getLast().number()).isEqualTo(before.number());
        sql("ALTER TABLE t DROP COLUMN w", "ALTER TABLE t ADD COLUMN v text");
        assertThat(edition("t").columns().getLast().number()).isNotEqualTo(before.number());
    }

    @Test
    void generatedColumnsCountWhereTheyArePublished() {
        sql(
                "CREATE TABLE t (id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED)",
                "CREATE PUBLICATION p FOR TABLE t");
        assertThat(edition("t").columns()).extracting(Column::name).containsExactly("id");
        if (postgres.serverMajor() < 18) return;
        sql("ALTER PUBLICATION p SET (publish_generated_columns = stored)");
        assertThat(edition("t").columns()).extracting(Column::name).containsExactly("id", "twice");
        sql(
                "ALTER PUBLICATION p SET (publish_generated_columns = none)",
                "ALTER PUBLICATION p SET TABLE t (id, twice)");
        assertThat(edition("t").columns()).extracting(Column::name).containsExactly("id", "twice");
    }

    @Test
    void namesAreExactAndWhatIsNotThereIsLeftOut() {
        sql(
                "CREATE SCHEMA \"S.x\"",
                "CREATE TABLE \"S.x\".\"a_b%\" (\"C\"\"\" int)",
                "CREATE TABLE \"S.x\".\"aXb%\" (id int)");
        assertThat(source.editions(List.of(new RelationName("S.x", "a_b%"), new RelationName("S.x", "gone"))))
                .singleElement()
                .satisfies(table ->
                        assertThat(table.columns()).extracting(Column::name).containsExactly("C\""));
    }

    /** DDL under way waits for long transactions, and would keep everybody else waiting behind it. */
    @Test
    void aTableThatIsLockedCanBeLookedAt() throws SQLException {
        partitioned();
        try (Connection connection = postgres.connect(database);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE t, low, sub IN ACCESS EXCLUSIVE MODE");
            assertThat(edition("t").stores()).hasSize(2);
        }
    }

    private void partitioned() {
        sql(
                "CREATE TABLE t (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)",
                "CREATE TABLE low PARTITION OF t FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE sub PARTITION OF t FOR VALUES FROM (10) TO (20) PARTITION BY RANGE (id)",
                "CREATE TABLE sub_high PARTITION OF sub FOR VALUES FROM (10) TO (20)",
                "CREATE PUBLICATION p FOR TABLE t WITH (publish_via_partition_root = true)");
    }

    private TableEdition edition(String table) {
        return source.editions(List.of(new RelationName("public", table))).getFirst();
    }

    private void sql(String... statements) {
        postgres.execute(database, statements);
    }
}
