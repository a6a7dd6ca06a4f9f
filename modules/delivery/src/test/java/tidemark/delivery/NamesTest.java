package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.replication.TestPostgres;

/** Names are exact from PostgreSQL's catalog to Feldera's URL, through a real PostgreSQL and real HTTP. */
class NamesTest {
    @TempDir
    Path directory;

    private Optional<Replica> open = Optional.empty();

    @AfterEach
    void close() {
        open.ifPresent(Replica::close);
    }

    private Replica replica(String program, String routes, String... setup) {
        var replica = new Replica(TestPostgres.shared(), directory, program, routes, setup);
        open = Optional.of(replica);
        return replica;
    }

    @Test
    void quotedFoldedAndMultiByteNamesArriveInTheirColumns() {
        String table = "\"My.Schema\".\"İstanbul \"\"x\"\" 100%_straße表\"";
        Replica replica = replica(
                """
                CREATE TABLE "T.İ ""q"" 100%_表" (
                    "Id" INT NOT NULL PRIMARY KEY, "select" INT, "a""b" INT, "sp ace" INT, "do.t" INT, "per%_cent" INT,
                    "İ" INT, Größe INT, straße INT, 列 INT, "back\\slash" INT, İki INT)""",
                table + ":\"T.İ \"\"q\"\" 100%_表\"",
                "CREATE SCHEMA \"My.Schema\"",
                "CREATE TABLE " + table
                        + " (\"Id\" int PRIMARY KEY, \"select\" int, \"a\"\"b\" int, \"sp ace\" int, \"do.t\" int, \"per%_cent\" int,"
                        + " \"İ\" int, \"Größe\" int, straße int, \"列\" int, \"back\\slash\" int, \"İki\" int)",
                "CREATE PUBLICATION pub FOR TABLE " + table,
                "INSERT INTO " + table + " VALUES (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)");
        String feldera = "\"T.İ \"\"q\"\" 100%_表\"";
        replica.start();
        replica.awaitRows(feldera, "1|2|3|4|5|6|7|8|9|10|11|12");
        replica.awaitStreaming();
        replica.sql(
                "INSERT INTO " + table + " VALUES (20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)",
                "INSERT INTO " + table + " VALUES (99)",
                "UPDATE " + table + " SET \"Id\" = 5, \"a\"\"b\" = 33, \"İ\" = 34 WHERE \"Id\" = 1",
                "DELETE FROM " + table + " WHERE \"Id\" = 99");
        replica.awaitRows(feldera, "20|21|22|23|24|25|26|27|28|29|30|31", "5|2|33|4|5|6|34|8|9|10|11|12");
    }

    @Test
    void tablesOfOneNameAreToldApartByTheirSchemas() {
        Replica replica = replica(
                "CREATE TABLE a (id INT NOT NULL PRIMARY KEY); CREATE TABLE b (id INT NOT NULL PRIMARY KEY);",
                "one.t:a,\"Two\".t:b",
                "CREATE SCHEMA one",
                "CREATE SCHEMA \"Two\"",
                "CREATE TABLE one.t (id int PRIMARY KEY)",
                "CREATE TABLE \"Two\".t (id int PRIMARY KEY)",
                "CREATE PUBLICATION pub FOR TABLE one.t, \"Two\".t",
                "INSERT INTO one.t VALUES (1)",
                "INSERT INTO \"Two\".t VALUES (2)");
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO one.t VALUES (11)", "INSERT INTO \"Two\".t VALUES (12)");
        replica.awaitRows("a", "1", "11");
        replica.awaitRows("b", "2", "12");
    }

    /** A LIKE pattern of the one would match the other. */
    @Test
    void aTableWhoseNameIsLikeAnothersIsAnother() {
        Replica replica = replica(
                        "CREATE TABLE a_b (id INT NOT NULL PRIMARY KEY, c_1 INT);",
                        "a_b",
                        "CREATE TABLE a_b (id int PRIMARY KEY, c_1 int, \"cx1\" int)",
                        "CREATE TABLE axb (id int PRIMARY KEY)",
                        "CREATE PUBLICATION pub FOR TABLE a_b, axb",
                        "INSERT INTO a_b VALUES (1, 2, 3)",
                        "INSERT INTO axb VALUES (7)")
                .with(Settings::ignoringUnlisted);
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO axb VALUES (8)", "INSERT INTO a_b VALUES (2, 4, 5)");
        replica.awaitRows("a_b", "1|2", "2|4");
    }

    /** İ (dotted capital) folds to two characters and not to i; the Kelvin sign folds to k. */
    @Test
    void columnsThatFoldOntoOneAreRefusedWhateverTheirScript() {
        Replica replica = replica(
                "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, k INT)",
                "t",
                "CREATE TABLE t (id int PRIMARY KEY, k int, \"\u212A\" int, \"İd\" int)",
                "CREATE PUBLICATION pub FOR TABLE t");
        try (var log = new Listening()) {
            replica.start();
            assertThat(replica.awaitExit()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(log.linesWith("SEVERE", "column k", "fold onto it", "\u212A"))
                    .isNotEmpty();
        }
    }

    /** Two columns that only differ by case meet in Feldera's parser, so the exact one is the only one that is sent. */
    @Test
    void aQuotedFelderaColumnTakesTheColumnOfExactlyItsName() {
        Replica replica = replica(
                "CREATE TABLE t (\"Id\" INT NOT NULL PRIMARY KEY, \"Duration\" INT)",
                "t",
                "CREATE TABLE t (\"Id\" int PRIMARY KEY, id int, duration int, \"Duration\" int)",
                "CREATE PUBLICATION pub FOR TABLE t",
                "INSERT INTO t VALUES (1, 2, 3, 4)");
        replica.start();
        replica.awaitStreaming();
        replica.sql("UPDATE t SET duration = 5 WHERE \"Id\" = 1", "INSERT INTO t VALUES (6, 7, 8, 9)");
        replica.awaitRows("t", "1|4", "6|9");
    }

    /** PostgreSQL converts what it sends, names as well as values; a route and the catalog are in UTF-8 all along. */
    @ParameterizedTest
    @CsvSource({"LATIN1,größe,Ärger é", "EUC_KR,크기,한글 값"})
    void aDatabaseOfAnotherEncodingIsNoOtherOne(String encoding, String column, String value) {
        Replica replica =
                replica("CREATE TABLE t (id INT NOT NULL PRIMARY KEY, %s VARCHAR)".formatted(column), "t", "SELECT 1");
        replica.postgres.execute(
                "postgres",
                "DROP DATABASE " + replica.database,
                "CREATE DATABASE %s ENCODING '%s' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
                        .formatted(replica.database, encoding));
        replica.sql(
                "CREATE TABLE t (id int PRIMARY KEY, %s text)".formatted(column),
                "CREATE PUBLICATION pub FOR TABLE t",
                "INSERT INTO t VALUES (1, '%s')".formatted(value));
        replica.start();
        replica.awaitRows("t", "1|" + value);
        replica.awaitStreaming();
        replica.sql("INSERT INTO t VALUES (2, '%s')".formatted(value), "UPDATE t SET id = 3 WHERE id = 1");
        replica.awaitRows("t", "2|" + value, "3|" + value);
    }
}
