package tidemark.app;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What is written while the service runs into its crash point: enough for more than three batches of
 * {@link #BATCH_ROWS} rows, and of one transaction each. Inserts, updates, changes of keys and deletes in all of them.
 */
enum CrashWorkload {
    /** Sixty transactions of one to four rows; every fourth touches both tables. */
    SMALL_TRANSACTIONS {
        @Override
        void write(Statement sql, RandomGenerator random) throws SQLException {
            for (int i = 1; i <= 60; i++) {
                int id = i * 10;
                String more = i % 4 == 0 ? "INSERT INTO items VALUES (%d, %d, 'item');".formatted(i, id) : "";
                transaction(sql, "INSERT INTO users VALUES (%d, 'user', now());".formatted(id) + more);
                change(sql, 10 * (1 + random.nextInt(i)), random);
            }
        }
    },
    /** Every transaction touches both tables several times, alternating. */
    SEVERAL_TABLES {
        @Override
        void write(Statement sql, RandomGenerator random) throws SQLException {
            for (int i = 1; i <= 20; i++) {
                int id = i * 10;
                int earlier = 10 * (1 + random.nextInt(i));
                transaction(
                        sql,
                        "INSERT INTO users SELECT g, 'user', now() FROM generate_series(%d, %d) g;"
                                        .formatted(id, id + 4)
                                + "INSERT INTO items VALUES (%d, %d, 'item');".formatted(i, id)
                                + "UPDATE users SET name = name || 'x' WHERE id = %d;".formatted(earlier)
                                + "UPDATE items SET id = id + 1000 WHERE id = %d;".formatted(i - 1)
                                + "DELETE FROM users WHERE id = %d;".formatted(earlier + 1));
            }
        }
    },
    /** One transaction of a dozen batches, both tables in each of them; then some small ones. */
    OVERSIZED {
        @Override
        void write(Statement sql, RandomGenerator random) throws SQLException {
            var rows = new StringBuilder();
            for (int i = 1; i <= 120; i++) {
                rows.append("INSERT INTO users VALUES (%d, 'user', now());".formatted(i * 10));
                rows.append("INSERT INTO items VALUES (%d, %d, 'item');".formatted(i, i * 10));
                if (i % 5 == 0) rows.append("UPDATE users SET id = id + 1 WHERE id = %d;".formatted((i - 3) * 10));
                if (i % 7 == 0) rows.append("DELETE FROM items WHERE id = %d;".formatted(i - 2));
            }
            transaction(sql, rows.toString());
            for (int i = 1; i <= 5; i++) change(sql, 10 * (1 + random.nextInt(120)), random);
        }
    };

    /** So that what is oversized needs not be large. */
    static final int BATCH_ROWS = 20;

    abstract void write(Statement sql, RandomGenerator random) throws SQLException;

    void write(Connection connection, RandomGenerator random) {
        try (Statement sql = connection.createStatement()) {
            write(sql, random);
        } catch (SQLException failure) {
            throw new IllegalStateException("a statement of the workload failed", failure);
        }
    }

    /** Of more than three batches of rows. */
    static String[] truncate() {
        return new String[] {
            more(),
            "BEGIN; UPDATE users SET name = 'in it'; TRUNCATE users, items; INSERT INTO users SELECT g, 'after', now()"
                    + " FROM generate_series(1, 50) g; COMMIT"
        };
    }

    /** More than three batches of rows. */
    static String more() {
        return "INSERT INTO users SELECT -g, 'before', now() FROM generate_series(1, %d) g".formatted(4 * BATCH_ROWS);
    }

    /** Somebody takes these out of Feldera again, in its own words. */
    static String lost() {
        return IntStream.rangeClosed(1, 4 * BATCH_ROWS)
                .mapToObj("{\"delete\":{\"id\":-%d}}"::formatted)
                .collect(Collectors.joining(","));
    }

    /** What happens to the rows while the service is away. */
    static String[] meanwhile() {
        return new String[] {
            "UPDATE users SET name = name || '!' WHERE id % 3 = 0",
            "DELETE FROM users WHERE id % 7 = 0",
            "BEGIN; UPDATE users SET id = id + 100000 WHERE id % 4 = 0; DELETE FROM items WHERE id % 5 = 0; COMMIT"
        };
    }

    private static void change(Statement sql, int id, RandomGenerator random) throws SQLException {
        switch (random.nextInt(3)) {
            case 0 -> sql.execute("UPDATE users SET name = name || 'x' WHERE id = " + id);
            case 1 ->
                sql.execute("UPDATE users SET id = id + 1 WHERE id = %d AND NOT EXISTS".formatted(id)
                        + " (SELECT FROM users WHERE id = %d)".formatted(id + 1));
            default -> sql.execute("DELETE FROM users WHERE id = " + id);
        }
    }

    private static void transaction(Statement sql, String statements) throws SQLException {
        sql.execute("BEGIN;" + statements + "COMMIT");
    }
}
