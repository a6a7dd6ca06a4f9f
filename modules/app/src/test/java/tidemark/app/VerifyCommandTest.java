package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.decode.RelationName;
import tidemark.delivery.Routes;

class VerifyCommandTest {
    @Test
    void tablesAreNamedAsInTheConfiguration() {
        var routes = Routes.parse("users:people, shop.Items, \"Odd, name\"");
        assertThat(VerifyCommand.named(routes, List.of("Users", "shop.items", "public.\"Odd, name\"")))
                .containsExactly(
                        new RelationName("public", "users"),
                        new RelationName("shop", "items"),
                        new RelationName("public", "Odd, name"));
        assertThat(VerifyCommand.named(routes, List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"people", "items", "users,shop.items", "", "\"users"})
    void aTableThatIsNotConfiguredIsRefusedByName(String table) {
        assertThatThrownBy(() -> VerifyCommand.named(Routes.parse("users:people, shop.items"), List.of(table)))
                .isInstanceOf(VerifyCommand.Misnamed.class)
                .hasMessageStartingWith(table);
    }
}
