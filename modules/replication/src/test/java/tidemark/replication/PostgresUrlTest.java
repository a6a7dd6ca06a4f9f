package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.replication.SourceFailure.Kind;

class PostgresUrlTest {
    @ParameterizedTest
    @CsvSource({
        "postgresql://db.example:6432/shop, db.example, 6432, shop",
        "jdbc:postgresql://db.example/shop, db.example, 5432, shop",
        "postgresql://my_db:5432/a%20b+c, my_db, 5432, a b+c",
        "postgresql://[::1]:5433/shop, [::1], 5433, shop",
        "postgresql://[::1]/shop, [::1], 5432, shop",
    })
    void bothFormsNameHostPortAndDatabase(String text, String host, int port, String database) {
        assertThat(PostgresUrl.parse(text)).isEqualTo(new PostgresUrl(host, port, database));
    }

    @Test
    void anOddDatabaseNameReachesTheDriverEscaped() {
        assertThat(PostgresUrl.parse("postgresql://h/a%2Fb%3Fc").jdbc())
                .isEqualTo("jdbc:postgresql://h:5432/a%2Fb%3Fc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://alice:s3cret@h/db",
                "postgresql://h/db?user=alice&password=s3cret",
                "jdbc:postgresql://h/db?password=s3cret",
                "mysql://h/s3cret",
                "postgresql://h1,h2/s3cret",
                "postgresql://h/",
                "postgresql://h",
                "postgresql:///db",
                "postgresql://h:port/db",
                "postgresql://h:70000/db",
                "postgresql://h/%zz",
            })
    void whatItCannotStandForIsRefusedWithoutRepeatingIt(String text) {
        assertThatThrownBy(() -> PostgresUrl.parse(text)).isInstanceOfSatisfying(SourceFailure.class, e -> {
            assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED);
            assertThat(e.getMessage()).startsWith("read postgres.url").doesNotContain("s3cret");
            assertThat(e.remedy()).isNotBlank();
        });
    }
}
