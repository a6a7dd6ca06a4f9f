package tidemark.demo;

/**
 * One PostgreSQL transaction of the workload, whole.
 *
 * @param sql statements without BEGIN and COMMIT, separated by semicolons, with literals: PostgreSQL runs several
 *     statements of one simple query as one transaction
 * @param changes rows inserted, updated and deleted
 */
record Transaction(String sql, int changes) {}
