package tidemark.replication;

import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;

/**
 * Where changes come from: one PostgreSQL database, one slot, one publication. Implemented by {@link PostgresSource}
 * and by the scripted source of the simulation.
 *
 * <p>Thread safe: {@link #slot()}, {@link #walRoom()}, {@link #walEnd()} and {@link #editions} are asked by monitoring
 * threads while a session runs elsewhere. Every method throws {@link SourceFailure}, already classified.
 */
public interface ChangeSource extends AutoCloseable {
    /** Connects and checks what can be checked without a table: wal_level, version, privileges. */
    SourceSession open();

    /** The slot as the server shows it now, whoever may use it; asked on a connection of its own. */
    SlotStatus slot();

    /**
     * How much more WAL the slot may hold back; empty where the server sets no limit. As thread safe as
     * {@link #slot()}.
     */
    default Optional<WalRoom> walRoom() {
        return Optional.empty();
    }

    /**
     * Who holds a table of the publication exclusively, or waits to, in words: whoever begins a session then waits, too
     * (from PostgreSQL 16 on, whose {@code pg_publication_tables} opens them all; 15, of which 15.17 does not, is
     * treated alike). Waits for nobody itself. As thread safe as {@link #slot()}.
     */
    default Optional<String> exclusiveHolder() {
        return Optional.empty();
    }

    /** The end of WAL as the server shows it now ({@code pg_current_wal_lsn}, on a standby the replayed position). */
    Lsn walEnd();

    /**
     * At or after the end of every commit that an earlier answer showed, also of one that is not written to disk yet:
     * of those there are none unless a source says otherwise.
     */
    default Lsn insertedWal() {
        return walEnd();
    }

    /** Of those of the tables that there are now; asked on the connection of {@link #slot()}. */
    List<TableEdition> editions(List<RelationName> tables);

    @Override
    void close();
}
