package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.replication.TestPostgres;

/**
 * What a real PostgreSQL sends of a row depends on its replica identity, and what becomes of it in Feldera does not.
 */
class RowImagesTest {
    private static final String PROGRAM = """
            CREATE TABLE docs (id INTEGER NOT NULL PRIMARY KEY, tag VARCHAR, body VARCHAR, doc VARCHAR) WITH ('materialized' = 'true');
            """;

    @TempDir
    Path directory;

    private Replica replica;

    @BeforeEach
    void replica() {
        replica = new Replica(TestPostgres.shared(), directory, PROGRAM, "docs");
        replica.sql(
                "CREATE TABLE docs (id int PRIMARY KEY, tag text, body text, doc text)",
                "CREATE FUNCTION big(seed int) RETURNS text LANGUAGE sql AS"
                        + " $$ SELECT string_agg(md5(seed || '.' || g), '') FROM generate_series(1, 400) g $$",
                "CREATE PUBLICATION pub FOR TABLE docs",
                "INSERT INTO docs VALUES (1, 'a', big(1), big(2)), (2, 'n', NULL, NULL)");
    }

    @AfterEach
    void close() {
        replica.close();
    }

    @Test
    void aLargeValueThatAnUpdateLeavesAloneStays() {
        replica.start();
        replica.awaitStreaming();
        replica.sql(
                "UPDATE docs SET tag = 'b' WHERE id = 1",
                "UPDATE docs SET tag = 'c', doc = big(3) WHERE id = 1",
                "UPDATE docs SET body = NULL WHERE id = 1",
                "UPDATE docs SET tag = 'm', body = big(4) WHERE id = 2",
                "BEGIN; INSERT INTO docs VALUES (3, 'x', big(5), NULL); UPDATE docs SET tag = NULL WHERE id = 3; COMMIT",
                "UPDATE docs SET id = id WHERE id = 3");
        replica.awaitEqual();
        // and a restart goes on with what the first run copied
        assertThat(replica.stop()).isEqualTo(ExitCode.DRAINED);
        replica.sql("UPDATE docs SET tag = 'stopped'");
        replica.start();
        replica.awaitEqual();
    }

    @Test
    void aLargeValueIsFilledInFromTheFullOldRowUnderANewKeyToo() {
        replica.sql("ALTER TABLE docs REPLICA IDENTITY FULL");
        replica.start();
        replica.awaitStreaming();
        replica.sql(
                "UPDATE docs SET tag = 'b' WHERE id = 1",
                "UPDATE docs SET id = 10 WHERE id = 1",
                "UPDATE docs SET id = 20 WHERE id = 2");
        replica.awaitEqual();
    }

    @Test
    void aLargeValueLeftAloneUnderANewKeyStopsByNameAndAnEmptyPipelineGoesOn() {
        replica.start();
        replica.awaitStreaming();
        Lsn before = replica.walEnd();
        replica.sql("UPDATE docs SET id = 10 WHERE id = 1");
        assertRefused(
                "column body.*the key changed.*transaction that commits at.*REPLICA IDENTITY FULL.*pipeline empty");
        assertThat(replica.confirmedFlush().isAfter(before)).isFalse();
        replica.sql("ALTER TABLE docs REPLICA IDENTITY FULL");
        replica.pipeline.restartEmpty();
        replica.start();
        replica.sql("UPDATE docs SET id = 11 WHERE id = 10");
        replica.awaitEqual();
    }

    @Test
    void aLargeValueLeftAloneInATableThatWasNeverCopiedStopsByName() {
        replica.with(Settings::streamingOnly).start();
        replica.awaitStreaming();
        replica.sql("UPDATE docs SET body = big(6), doc = NULL WHERE id = 1");
        TestPostgres.await("the whole row", () -> replica.target("docs").size() == 1);
        replica.sql("UPDATE docs SET tag = 'b' WHERE id = 1");
        assertRefused("column body.*may be missing.*REPLICA IDENTITY FULL.*snapshot.mode=initial");
    }

    /** The row comes to meet the publication's filter: PostgreSQL sends its update as an insert, without the value. */
    @Test
    void aRowThatEntersTheFilterWithoutItsLargeValueStopsByName() {
        org.junit.jupiter.api.Assumptions.assumeTrue(replica.postgres.serverMajor() >= 15, "row filters came with 15");
        replica.sql("ALTER PUBLICATION pub SET TABLE docs WHERE (id > 5)");
        replica.start();
        replica.awaitStreaming();
        replica.sql("UPDATE docs SET id = 10 WHERE id = 1");
        assertRefused("column body.*REPLICA IDENTITY FULL");
    }

    /** postgres.md: it sends no old tuple at all. */
    @Test
    void aKeyThatChangesBesideTheIndexOfTheIdentityStopsByName() {
        replica.sql(
                "ALTER TABLE docs ALTER COLUMN tag SET NOT NULL",
                "CREATE UNIQUE INDEX docs_tag ON docs (tag)",
                "ALTER TABLE docs REPLICA IDENTITY USING INDEX docs_tag");
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO docs VALUES (3, 'i', NULL, NULL)");
        replica.awaitEqual();
        replica.sql("UPDATE docs SET id = 30 WHERE id = 3");
        assertRefused("replica identity does not cover Feldera's key \\[id\\].*REPLICA IDENTITY FULL");
    }

    @Test
    void anIndexOfTheIdentityThatHasTheKeyIsEnough() {
        replica.sql(
                "ALTER TABLE docs ALTER COLUMN tag SET NOT NULL",
                "CREATE UNIQUE INDEX docs_id_tag ON docs (tag, id)",
                "ALTER TABLE docs REPLICA IDENTITY USING INDEX docs_id_tag");
        replica.start();
        replica.awaitStreaming();
        replica.sql(
                "UPDATE docs SET id = 20 WHERE id = 2",
                "UPDATE docs SET tag = 'changed' WHERE id = 1",
                "UPDATE docs SET id = 10, body = 'small', doc = 'small' WHERE id = 1",
                "DELETE FROM docs WHERE id = 20");
        replica.awaitEqual();
    }

    /** PostgreSQL itself refuses to change what it could not describe. */
    @Test
    void withoutAnIdentityThereAreInsertsOnly() {
        replica.sql("ALTER TABLE docs REPLICA IDENTITY NOTHING");
        replica.start();
        replica.awaitStreaming();
        replica.sql("INSERT INTO docs VALUES (3, 'i', big(1), NULL)");
        replica.awaitEqual();
        assertThatThrownBy(() -> replica.sql("UPDATE docs SET tag = 'u'"))
                .rootCause()
                .hasMessageContaining("replica identity");
    }

    private void assertRefused(String why) {
        TestPostgres.await("a refusal", () -> failure().isPresent());
        assertThat(failure().orElseThrow()).matches("public.docs -> docs.*" + why + ".*");
        assertThat(replica.awaitExit()).isEqualTo(ExitCode.DATA);
    }

    private Optional<String> failure() {
        return replica.status().lastFailure();
    }
}
