package tidemark.standin;

/** The tables of the recorded exchanges, as far as they can be told from them. */
public final class RecordedProgram {
    public static final String SQL = """
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
            CREATE TABLE extras (
                id BIGINT PRIMARY KEY, c_nn INT NOT NULL, c_def INT NOT NULL DEFAULT 7, c_defnull INT DEFAULT 5,
                "MixedCase" INT
            );
            CREATE TABLE "Quoted" (id INT PRIMARY KEY, v VARCHAR);
            CREATE MATERIALIZED VIEW user_count AS SELECT COUNT(*) AS n FROM users;
            """;

    private RecordedProgram() {}
}
