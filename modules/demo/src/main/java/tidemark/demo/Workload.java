package tidemark.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is written to the demo's tables: a deterministic function of the random source, as SQL.
 *
 * <p>Knows which keys are alive, so that every statement finds its row and {@link Transaction#changes()} is exact.
 * Memory is bounded by {@link #LIVE_MAX}: above it, rows are deleted where others would be inserted. Not thread safe;
 * owned by whoever executes it.
 */
final class Workload {
    /**
     * How many rows there are before the service starts, and in the one transaction that does not fit into a batch.
     * Multiples of {@link #ROWS_PER_TRANSACTION}.
     */
    record Size(int readings, int customers, int products, int orders, int bigTransaction) {
        static final Size DEMO = new Size(100_000, 5_000, 1_000, 5_000, 200_000);
    }

    static final int ROWS_PER_TRANSACTION = 100;
    /** Of one table: some 100 bytes a key in this process. */
    private static final int LIVE_MAX = 50_000;

    private record Order(UUID id, int lines) {}

    private final RandomGenerator random;
    private final Size size;
    private final SampleValues values;
    private final List<Long> customers = new ArrayList<>();
    private final List<String> products = new ArrayList<>();
    private final List<Order> orders = new ArrayList<>();
    private long nextCustomer = 1;
    private long nextProduct = 1;
    private long nextReading = 1;

    Workload(RandomGenerator random, Size size) {
        this.random = random;
        this.size = size;
        this.values = new SampleValues(random);
    }

    /** The rows that are there before the service starts. To be asked once, first. */
    List<Transaction> initialRows() {
        List<Transaction> rows = new ArrayList<>();
        rows.add(readings(size.readings()));
        addTogether(rows, size.customers(), this::addCustomer);
        addTogether(rows, size.products(), this::addProduct);
        addTogether(rows, size.orders(), this::placeOrder);
        return rows;
    }

    /** The one that does not fit into a batch. */
    Transaction bigTransaction() {
        return readings(size.bigTransaction());
    }

    Transaction next() {
        int dice = random.nextInt(100);
        if (dice < 30) return orders.size() < LIVE_MAX ? placeOrder() : cancelOrder();
        if (dice < 50) return changeCustomer();
        if (dice < 58) return customers.size() < LIVE_MAX ? addCustomer() : removeCustomer();
        if (dice < 68) return changeProduct();
        if (dice < 74) return renameProduct();
        if (dice < 84) return payOrder();
        if (dice < 92) return cancelOrder();
        if (dice < 95) return removeCustomer();
        if (dice < 98) return renumberCustomer();
        return replaceProduct();
    }

    private Transaction readings(int count) {
        String sql = """
                INSERT INTO readings SELECT g, 'sensor ' || (g %% 97) || chr(945 + (g %% 24)::int),
                timestamptz '2026-01-01 00:00:00Z' + g * interval '1001 microseconds', round((sin(g + %d) * g)::numeric, 6)::double precision,
                CASE WHEN g %% 11 = 0 THEN NULL ELSE (cos(g) * 100)::real END, g %% 3 = 0,
                decode(md5((g + %d)::text), 'hex') FROM generate_series(%d, %d) g\
                """.formatted(random.nextInt(1000), random.nextInt(1000), nextReading, nextReading + count - 1);
        nextReading += count;
        return new Transaction(sql, count);
    }

    private Transaction addCustomer() {
        long id = nextCustomer++;
        customers.add(id);
        return new Transaction(
                "INSERT INTO customers VALUES (%d, %s, %s, %s, %s, %s, (%s) AT TIME ZONE 'UTC', %s, %s)"
                        .formatted(
                                id,
                                values.text(),
                                values.orNull(values.text()),
                                values.bool(),
                                values.decimal(12, 2),
                                values.orNull(values.real()),
                                values.moment(),
                                values.orNull(values.jsonb()),
                                values.orNull(values.bytea())),
                1);
    }

    private Transaction changeCustomer() {
        return new Transaction(
                "UPDATE customers SET name = %s, email = %s, credit = %s, score = %s, about = %s WHERE id = %d"
                        .formatted(
                                values.text(),
                                values.orNull(values.text()),
                                values.decimal(12, 2),
                                values.orNull(values.real()),
                                values.orNull(values.jsonb()),
                                any(customers)),
                1);
    }

    private Transaction renumberCustomer() {
        long from = take(customers);
        long to = nextCustomer++;
        customers.add(to);
        return new Transaction("UPDATE customers SET id = %d WHERE id = %d".formatted(to, from), 1);
    }

    private Transaction removeCustomer() {
        return new Transaction("DELETE FROM customers WHERE id = %d".formatted(take(customers)), 1);
    }

    private Transaction addProduct() {
        String sku = newSku();
        products.add(sku);
        return new Transaction(insertProduct(sku), 1);
    }

    private String insertProduct(String sku) {
        return "INSERT INTO products VALUES (%s, %s, %s, %s, %s, %s)"
                .formatted(
                        SampleValues.quoted(sku),
                        values.text(),
                        values.decimal(38, 18),
                        values.orNull(values.doublePrecision()),
                        values.orNull(values.date()),
                        values.integer(1_000_000));
    }

    private Transaction changeProduct() {
        return new Transaction(
                "UPDATE products SET price = %s, stock = %s, weight = %s WHERE sku = %s"
                        .formatted(
                                values.decimal(38, 18),
                                values.integer(1_000_000),
                                values.orNull(values.doublePrecision()),
                                SampleValues.quoted(any(products))),
                1);
    }

    /** The key changes: the row must not stay under the old one. */
    private Transaction renameProduct() {
        String from = take(products);
        String to = newSku();
        products.add(to);
        return new Transaction(
                "UPDATE products SET sku = %s WHERE sku = %s"
                        .formatted(SampleValues.quoted(to), SampleValues.quoted(from)),
                1);
    }

    /** Deleted and inserted again under the same key, in one transaction. */
    private Transaction replaceProduct() {
        String sku = any(products);
        String delete = "DELETE FROM products WHERE sku = " + SampleValues.quoted(sku);
        return new Transaction(delete + "; " + insertProduct(sku), 2);
    }

    /** Two tables in one transaction. */
    private Transaction placeOrder() {
        Order order = new Order(values.uuid(), random.nextInt(1, 6));
        orders.add(order);
        StringBuilder sql = new StringBuilder("INSERT INTO orders VALUES ('%s', %d, %s, %s, %s, %s, %s, %s)"
                .formatted(
                        order.id(),
                        any(customers),
                        values.moment(),
                        values.orNull(values.date()),
                        values.orNull(values.time()),
                        values.decimal(20, 4),
                        values.bool(),
                        values.orNull(values.text())));
        for (int line = 1; line <= order.lines(); line++) {
            sql.append("; INSERT INTO order_lines VALUES ('%s', %d, %s, %s, %s, %s)"
                    .formatted(
                            order.id(),
                            line,
                            SampleValues.quoted(any(products)),
                            values.integer(1000),
                            values.decimal(20, 4),
                            values.orNull(values.doublePrecision())));
        }
        return new Transaction(sql.toString(), 1 + order.lines());
    }

    private Transaction payOrder() {
        Order order = any(orders);
        return new Transaction(
                ("UPDATE orders SET paid = NOT paid, total = %s, note = %s WHERE id = '%s'; "
                                + "UPDATE order_lines SET quantity = %s WHERE order_id = '%s'")
                        .formatted(
                                values.decimal(20, 4),
                                values.orNull(values.text()),
                                order.id(),
                                values.integer(1000),
                                order.id()),
                1 + order.lines());
    }

    private Transaction cancelOrder() {
        Order order = take(orders);
        return new Transaction(
                "DELETE FROM order_lines WHERE order_id = '%1$s'; DELETE FROM orders WHERE id = '%1$s'"
                        .formatted(order.id()),
                1 + order.lines());
    }

    /** Sorts by bytes unlike by characters, and unlike under a locale: what the proof's merge depends on. */
    private String newSku() {
        String[] prefixes = {"a-", "A-", "é-", "雪", "\uD83C\uDF0A", "\uFFFD", "'\\", "_ "};
        return prefixes[random.nextInt(prefixes.length)] + nextProduct++;
    }

    private <T> T any(List<T> alive) {
        return alive.get(random.nextInt(alive.size()));
    }

    /** Removed from what is alive, in constant time. */
    private <T> T take(List<T> alive) {
        int index = random.nextInt(alive.size());
        T last = alive.removeLast();
        return index == alive.size() ? last : alive.set(index, last);
    }

    private static void addTogether(List<Transaction> rows, int count, Supplier<Transaction> one) {
        for (int left = count; left > 0; left -= ROWS_PER_TRANSACTION) {
            List<Transaction> parts =
                    Stream.generate(one).limit(ROWS_PER_TRANSACTION).toList();
            rows.add(new Transaction(
                    parts.stream().map(Transaction::sql).collect(Collectors.joining("; ")),
                    parts.stream().mapToInt(Transaction::changes).sum()));
        }
    }
}
