package tidemark.sink;

/** The tables of the recorded exchanges, as far as they can be told from them. */
final class RecordedProgram {
    static final String SQL = """
            CREATE TABLE users (
                id BIGINT NOT NULL PRIMARY KEY, name VARCHAR, email VARCHAR, active BOOLEAN, score DOUBLE,
                created TIMESTAMP, tags VARCHAR ARRAY
            ) WITH ('materialized' = 'true');
            CREATE TABLE items (
                order_id BIGINT NOT NULL, line INT NOT NULL, sku VARCHAR, qty INT, price DECIMAL(12, 2), shipped DATE,
                PRIMARY KEY (order_id, line)
            );
            CREATE TABLE nokey (a INT, b VARCHAR) WITH ('materialized' = 'true');
            CREATE TABLE notmat2 (a INT);
            """;

    private RecordedProgram() {}
}
