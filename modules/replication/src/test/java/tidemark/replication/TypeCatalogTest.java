package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidemark.replication.TypeShape.Array;
import tidemark.replication.TypeShape.Composite;
import tidemark.replication.TypeShape.Domain;
import tidemark.replication.TypeShape.Enumeration;
import tidemark.replication.TypeShape.Field;
import tidemark.replication.TypeShape.Range;
import tidemark.replication.TypeShape.Scalar;

/** A type is known down to what its text is made of, however it is put together. */
class TypeCatalogTest {
    private static final int NUMERIC_10_2 = (10 << 16 | 2) + 4;
    private static final Scalar INTEGER = new Scalar(23, "integer", -1, "");
    private static final Scalar TEXT = new Scalar(25, "text", -1, "");

    private final TestPostgres postgres = TestPostgres.shared();
    private final String database = postgres.newDatabase();

    @Test
    void aModifierReachesTheElementsOfAnArray() {
        assertThat(typeOf("numeric(10,2)[]")).isEqualTo(new Array("numeric[]", numeric(NUMERIC_10_2), ','));
        assertThat(typeOf("integer[][]")).isEqualTo(new Array("integer[]", INTEGER, ','));
    }

    @Test
    void theDelimiterIsTheElementTypes() {
        assertThat(typeOf("box[]")).isEqualTo(new Array("box[]", new Scalar(603, "box", -1, ""), ';'));
    }

    /** Their text is not an array's. */
    @Test
    void whatHasElementsAndPrintsOtherwiseIsNoArray() {
        assertThat(typeOf("point")).isEqualTo(new Scalar(600, "point", -1, ""));
        assertThat(typeOf("int2vector")).isEqualTo(new Scalar(22, "int2vector", -1, ""));
        assertThat(typeOf("name")).isEqualTo(new Scalar(19, "name", -1, ""));
    }

    @Test
    void domainsAreReadOverArraysAndInThem() {
        postgres.execute(
                database,
                "CREATE DOMAIN price AS numeric(10,2) NOT NULL",
                "CREATE DOMAIN outer_price AS price",
                "CREATE DOMAIN prices AS price[]",
                "CREATE DOMAIN many AS prices");
        var price = new Domain("public.price", numeric(NUMERIC_10_2), true);
        var prices = new Domain("public.prices", new Array("public.price[]", price, ','), false);
        assertThat(typeOf("outer_price")).isEqualTo(new Domain("public.outer_price", price, true));
        assertThat(typeOf("price[]")).isEqualTo(new Array("public.price[]", price, ','));
        assertThat(typeOf("many")).isEqualTo(new Domain("public.many", prices, false));
        assertThat(typeOf("many").belowDomains()).isEqualTo(prices.base());
        assertThat(typeOf("prices[]")).isEqualTo(new Array("public.prices[]", prices, ','));
    }

    @Test
    void compositesNestAndLoseTheirDroppedFields() {
        postgres.execute(
                database,
                "CREATE TYPE inner_one AS (n numeric(10,2), gone int, \"T x\" text[])",
                "ALTER TYPE inner_one DROP ATTRIBUTE gone",
                "CREATE TYPE outer_one AS (a int, many inner_one[])",
                "CREATE TABLE rows (id int, v text)");
        var innerOne = new Composite(
                "public.inner_one",
                List.of(new Field("n", numeric(NUMERIC_10_2)), new Field("T x", new Array("text[]", TEXT, ','))),
                false);
        assertThat(typeOf("outer_one"))
                .isEqualTo(new Composite(
                        "public.outer_one",
                        List.of(
                                new Field("a", INTEGER),
                                new Field("many", new Array("public.inner_one[]", innerOne, ','))),
                        true));
        assertThat(typeOf("rows"))
                .isEqualTo(new Composite("public.rows", List.of(new Field("id", INTEGER), new Field("v", TEXT)), true));
    }

    @Test
    void enumsRangesAndTypesOfExtensionsAreKnownForWhatTheyAre() {
        postgres.execute(
                database,
                "CREATE TYPE mood AS ENUM ('sad')",
                "CREATE SCHEMA elsewhere",
                "CREATE EXTENSION hstore SCHEMA elsewhere",
                "CREATE EXTENSION citext SCHEMA elsewhere",
                "CREATE TYPE public.hstore AS (a int)");
        assertThat(typeOf("mood")).isEqualTo(new Enumeration("public.mood"));
        assertThat(typeOf("int4range")).isEqualTo(new Range("int4range"));
        assertThat(typeOf("int4multirange")).isEqualTo(new Range("int4multirange"));
        assertThat(typeOf("elsewhere.hstore")).isInstanceOfSatisfying(Scalar.class, hstore -> {
            assertThat(hstore.name()).isEqualTo("hstore");
            assertThat(hstore.extension()).isEqualTo("hstore");
        });
        assertThat(typeOf("elsewhere.citext"))
                .isInstanceOfSatisfying(
                        Scalar.class, citext -> assertThat(citext.extension()).isEqualTo("citext"));
        assertThat(typeOf("hstore")).isInstanceOf(Composite.class);
    }

    /** A RELATION may name one that was made after the session began, or one that is gone. */
    @Test
    void aTypeThatTheSessionHasNotMetIsAskedFor() {
        postgres.execute(database, "CREATE TABLE t (id int)", "CREATE PUBLICATION p FOR TABLE t");
        try (PostgresSource source = source("p");
                SourceSession session = source.open()) {
            assertThat(session.publication().tables()).hasSize(1);
            postgres.execute(database, "CREATE TYPE late AS ENUM ('x')");
            int late = Integer.parseUnsignedInt(postgres.query(database, "SELECT 'late[]'::regtype::oid"));
            assertThat(session.type(late, -1))
                    .isEqualTo(new Array("public.late[]", new Enumeration("public.late"), ','));
            assertThat(session.type(25, -1)).isEqualTo(TEXT);
            assertThat(session.type(-1, -1)).isEqualTo(new TypeShape.Unknown(-1));
            assertThat(session.type(-1, -1).name()).contains("4294967295");
        }
    }

    private static Scalar numeric(int modifier) {
        return new Scalar(1700, "numeric", modifier, "");
    }

    private TypeShape typeOf(String declared) {
        postgres.execute(
                database,
                "DROP PUBLICATION IF EXISTS p",
                "DROP TABLE IF EXISTS one",
                "CREATE TABLE one (c %s)".formatted(declared),
                "CREATE PUBLICATION p FOR TABLE one");
        try (PostgresSource source = source("p");
                SourceSession session = source.open()) {
            return session.publication()
                    .tables()
                    .getFirst()
                    .columns()
                    .getFirst()
                    .type();
        }
    }

    private PostgresSource source(String publication) {
        return new PostgresSource(
                postgres.settings(database, "types_" + database, publication), InstantSource.system());
    }
}
