package tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkloadTest {
    @Test
    void theSameSeedWritesTheSameRowsAndAnotherSeedOthers() {
        assertThat(statements(7)).isEqualTo(statements(7)).isNotEqualTo(statements(8));
    }

    @Test
    void everyKindOfChangeHappens() {
        String all = String.join("\n", statements(1));
        assertThat(all)
                .contains("INSERT INTO customers", "UPDATE customers SET name", "DELETE FROM customers")
                .contains("UPDATE customers SET id =", "UPDATE products SET sku =")
                .containsPattern("INSERT INTO orders .*; INSERT INTO order_lines")
                .containsPattern("DELETE FROM order_lines .*; DELETE FROM orders")
                .containsPattern("(?s)DELETE FROM products .*?; INSERT INTO products")
                .contains("generate_series(101, 300)");
    }

    private static List<String> statements(long seed) {
        Workload workload = new Workload(new SplittableRandom(seed), new Workload.Size(100, 100, 100, 100, 200));
        List<Transaction> initial = workload.initialRows();
        return Stream.concat(
                        initial.stream(),
                        Stream.concat(
                                Stream.of(workload.bigTransaction()),
                                Stream.generate(workload::next).limit(2000)))
                .map(Transaction::sql)
                .toList();
    }
}
