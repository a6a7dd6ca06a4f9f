/**
 * The demo: everything for real on one machine, a kill, and a proof. Never part of the distribution; started on the
 * class path, because the embedded PostgreSQL's libraries are not made for the module path.
 */
module tidemark.demo {
    requires tidemark.delivery;
    requires java.net.http;
    requires java.sql;
    requires transitive jakarta.json;
    requires org.postgresql.jdbc;
    requires embedded.postgres;

    exports tidemark.demo;
}
