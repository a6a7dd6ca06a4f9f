/** PostgreSQL's side: slots, publications, catalog, the stream, snapshots. Knows neither HTTP nor Feldera. */
module tidemark.replication {
    requires transitive tidemark.decode;
    requires java.sql;
    requires org.postgresql.jdbc;

    exports tidemark.replication;
}
