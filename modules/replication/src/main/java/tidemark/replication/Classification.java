package tidemark.replication;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import tidemark.replication.SourceFailure.Kind;

/**
 * The only place that turns what the driver throws into a {@link SourceFailure}: by SQLSTATE, or by the type of the
 * exception beneath it when there was no server to give one. What is not listed is PERMANENT.
 *
 * <p>Source: PostgreSQL documentation, appendix "PostgreSQL Error Codes".
 */
final class Classification {
    static final String PASSING =
            "none if it passes; else make sure that PostgreSQL runs and is reached at postgres.url";

    private Classification() {}

    @FunctionalInterface
    interface SqlCall<T> {
        T run() throws SQLException;
    }

    /** Runs the call; what it throws is classified. */
    static <T> T classified(String attempted, SqlCall<T> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw of(attempted, e);
        }
    }

    static SourceFailure of(String attempted, SQLException e) {
        Kind kind = beneath(e).orElseGet(() -> bySqlState(sqlState(e)));
        return new SourceFailure(kind, described(attempted, e), remedy(kind, sqlState(e)), e);
    }

    /**
     * A failure to connect. What the driver itself refuses without an I/O error beneath is about settings: a host name
     * that the certificate does not bear, a key file that others can read, no password where one is asked for.
     */
    static SourceFailure ofConnecting(String attempted, SQLException e) {
        String state = sqlState(e);
        boolean refused = state.equals("08004") || state.equals("08006");
        return refused && serverMessage(e).isEmpty() && e.getCause() == null
                ? misconfigured(attempted, e)
                : of(attempted, e);
    }

    private static SourceFailure misconfigured(String attempted, SQLException e) {
        return new SourceFailure(
                Kind.MISCONFIGURED, described(attempted, e), remedy(Kind.MISCONFIGURED, sqlState(e)), e);
    }

    static String sqlState(SQLException e) {
        return Optional.ofNullable(e.getSQLState()).orElse("");
    }

    static Kind bySqlState(String state) {
        return switch (state) {
            // object_in_use; duplicate_object: the slot is the only thing we make, and it was missing a moment ago, so
            // another instance made it
            case "55006", "42710" -> Kind.SLOT_BUSY;
            case "42501" -> Kind.CREDENTIALS; // insufficient_privilege
            case "08P01" -> Kind.PROTOCOL;
            // undefined_database, undefined_object (slot or publication), feature_not_supported (logical decoding on an
            // old
            // standby), configuration_limit_exceeded (max_replication_slots)
            case "3D000", "42704", "0A000", "53400", "08004" -> Kind.MISCONFIGURED;
            // query_canceled (our timeouts are off, so a person or a recovery conflict did), the server stopping,
            // starting or
            // crashing, idle_session_timeout, lock_not_available, snapshot_too_old
            case "57014", "57P01", "57P02", "57P03", "57P05", "55P03", "72000" -> Kind.TRANSIENT;
            default -> byClass(state.length() == 5 ? state.substring(0, 2) : "");
        };
    }

    private static Kind byClass(String sqlStateClass) {
        return switch (sqlStateClass) {
            case "22" -> Kind.DATA; // data_exception: a row filter that divides by zero, text that is not UTF-8
            case "28" -> Kind.CREDENTIALS; // invalid_authorization_specification
            case "08", "53", "40" ->
                Kind.TRANSIENT; // connection, resources (disk full, too many connections), rollback
            default -> Kind.PERMANENT;
        };
    }

    /** TLS and files: the driver reports them all as a broken connection. */
    private static Optional<Kind> beneath(SQLException e) {
        return causes(e)
                .filter(cause -> cause instanceof GeneralSecurityException
                        || cause instanceof SSLPeerUnverifiedException
                        || cause instanceof FileNotFoundException
                        || cause instanceof NoSuchFileException
                        // a handshake that broke off because the connection did is the network's doing
                        || (cause instanceof SSLHandshakeException && !(cause.getCause() instanceof IOException)))
                .findFirst()
                .map(_ -> Kind.MISCONFIGURED);
    }

    private static Stream<Throwable> causes(Throwable e) {
        return Stream.iterate(
                        Optional.of(e),
                        Optional::isPresent,
                        link -> link.flatMap(at -> Optional.ofNullable(at.getCause())))
                .flatMap(Optional::stream)
                .limit(20);
    }

    /** Server messages only of classes that name objects, never rows. */
    private static String described(String attempted, SQLException e) {
        String state = sqlState(e);
        String what = switch (state.length() == 5 ? state.substring(0, 2) : "") {
            case "08", "0A", "28", "3D", "40", "42", "53", "55", "57", "72" ->
                ": " + serverMessage(e).orElseGet(() -> e.getMessage() + beneathIt(e));
            default -> "";
        };
        return "%s%s (SQLSTATE %s)".formatted(attempted, what, state.isEmpty() ? "none" : state);
    }

    /** The driver's "The connection attempt failed." is said of an unknown host and of a time-out alike. */
    private static String beneathIt(SQLException e) {
        return e.getCause() instanceof IOException io
                ? " (%s)".formatted(io.getClass().getSimpleName())
                : "";
    }

    private static Optional<String> serverMessage(SQLException e) {
        return e instanceof PSQLException fromServer
                ? Optional.ofNullable(fromServer.getServerErrorMessage()).map(ServerErrorMessage::getMessage)
                : Optional.empty();
    }

    private static String remedy(Kind kind, String state) {
        return switch (kind) {
            case TRANSIENT ->
                switch (state) {
                    case "53300" -> // too_many_connections, also of walsenders
                        "raise max_wal_senders or max_connections, or wait: a copy beside the slot takes one walsender more"
                                + " than the stream, and as many connections as snapshot.parallelism says";
                    case "53200" -> // out_of_memory, also of the memory that servers share for locks
                        "raise max_locks_per_transaction, or lower snapshot.parallelism: each reader locks every table and"
                                + " partition that is copied; unless the server itself is short of memory";
                    case "53100" ->
                        "make room on the server's disk: what is merged or compared is sorted in files there";
                    case "40001" -> // of statements that only read: a conflict with recovery
                        "none if it passes; on a standby raise max_standby_streaming_delay and set hot_standby_feedback = on,"
                                + " and run ALTER TABLE, TRUNCATE and VACUUM FULL on the primary when nothing is copied";
                    case "72000" -> // snapshot_too_old
                        "set old_snapshot_threshold = -1, or copy in a quiet hour: what the snapshot needs may be removed";
                    default -> PASSING;
                };
            case SLOT_BUSY -> "stop the other consumer of this slot, or wait until the server notices that it is gone";
            case CREDENTIALS ->
                "42501".equals(state)
                        ? "the role needs REPLICATION and SELECT on the published tables, and BYPASSRLS where row-level"
                                + " security is on"
                        : "check postgres.user, postgres.password, the client certificate and pg_hba.conf";
            case MISCONFIGURED ->
                switch (state) {
                    case "3D000" -> "name an existing database in postgres.url";
                    case "42704" ->
                        "the publication must exist, and must have existed before the slot's position: create it, then"
                                + " drop the slot (tidemark slot drop) and start once with"
                                + " snapshot.on-state-loss=resnapshot and snapshot.mode=initial";
                    case "53400" -> // configuration_limit_exceeded
                        "raise max_replication_slots (a copy beside the slot takes a temporary one, too), or drop a slot that"
                                + " nobody uses; where it is temp_file_limit, raise that: what is merged or compared is sorted"
                                + " in files";
                    case "0A000" -> "logical decoding on a standby needs PostgreSQL 16 or later";
                    default -> "check postgres.url, postgres.password, postgres.sslmode and the certificate files";
                };
            case DATA -> "the server's log has the value or the expression (a row filter, an encoding); mend it there";
            case PROTOCOL -> "make sure that postgres.url names PostgreSQL itself, not a proxy or pooler";
            // a lost slot is known by its status, never by a SQLSTATE
            case SLOT_LOST, PERMANENT -> "read the server's log for the cause";
        };
    }
}
