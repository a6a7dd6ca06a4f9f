package tidemark.demo;

/**
 * The demo's own tables, declared alike on both sides: between them, every kind of key and value that is easily damaged
 * on the way. Kept in step by hand with {@link Workload}, which writes them.
 */
final class DemoTables {
    /** As the service's configuration wants it; one table has another name in Feldera. */
    static final String ROUTES = "customers,products,orders,order_lines,readings:sensor_readings";

    static final String POSTGRES = """
            CREATE TABLE customers (
                id bigint PRIMARY KEY, name text NOT NULL, email text, active boolean NOT NULL,
                credit numeric(12,2) NOT NULL, score real, joined timestamptz NOT NULL, about jsonb, photo bytea);
            CREATE TABLE products (
                sku text PRIMARY KEY, title varchar(200) NOT NULL, price numeric(38,18) NOT NULL, weight double precision,
                released date, stock integer NOT NULL);
            CREATE TABLE orders (
                id uuid PRIMARY KEY, customer_id bigint NOT NULL, placed timestamp NOT NULL, due date, pickup time,
                total numeric(20,4) NOT NULL, paid boolean NOT NULL, note text);
            CREATE TABLE order_lines (
                order_id uuid, line smallint, sku text NOT NULL, quantity integer NOT NULL, price numeric(20,4) NOT NULL,
                discount double precision, PRIMARY KEY (order_id, line));
            CREATE TABLE readings (
                id bigint PRIMARY KEY, sensor text NOT NULL, taken timestamptz NOT NULL, value double precision,
                level real, good boolean, raw bytea);
            """;

    static final String FELDERA = """
            CREATE TABLE customers (
                id BIGINT NOT NULL, name VARCHAR NOT NULL, email VARCHAR, active BOOLEAN NOT NULL,
                credit DECIMAL(12, 2) NOT NULL, score REAL, joined TIMESTAMP WITH TIME ZONE NOT NULL, about VARIANT,
                photo VARBINARY, PRIMARY KEY (id)) WITH ('materialized' = 'true');
            CREATE TABLE products (
                sku VARCHAR NOT NULL, title VARCHAR NOT NULL, price DECIMAL(38, 18) NOT NULL, weight DOUBLE,
                released DATE, stock INTEGER NOT NULL, PRIMARY KEY (sku)) WITH ('materialized' = 'true');
            CREATE TABLE orders (
                id UUID NOT NULL, customer_id BIGINT NOT NULL, placed TIMESTAMP NOT NULL, due DATE, pickup TIME,
                total DECIMAL(20, 4) NOT NULL, paid BOOLEAN NOT NULL, note VARCHAR,
                PRIMARY KEY (id)) WITH ('materialized' = 'true');
            CREATE TABLE order_lines (
                order_id UUID NOT NULL, line SMALLINT NOT NULL, sku VARCHAR NOT NULL, quantity INTEGER NOT NULL,
                price DECIMAL(20, 4) NOT NULL, discount DOUBLE,
                PRIMARY KEY (order_id, line)) WITH ('materialized' = 'true');
            CREATE TABLE sensor_readings (
                id BIGINT NOT NULL, sensor VARCHAR NOT NULL, taken TIMESTAMP WITH TIME ZONE NOT NULL, value DOUBLE,
                level REAL, good BOOLEAN, raw VARBINARY, PRIMARY KEY (id)) WITH ('materialized' = 'true');
            """;

    private DemoTables() {}
}
