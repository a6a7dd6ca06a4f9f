/**
 * Benchmarks, end to end. Never part of the distribution; started on the class path, because the embedded PostgreSQL's
 * libraries are not made for the module path.
 */
module tidemark.bench {
    requires tidemark.delivery;
    requires java.sql;
    requires org.postgresql.jdbc;
    requires embedded.postgres;
}
