package tidemark.delivery;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What delivery is told, validated by whoever read it. Names are those of the configuration, docs/configuration.md.
 *
 * @param snapshotParallelism connections that a copy reads with
 * @param completionTimeout how long an accepted batch may stay incomplete before the session ends
 * @param requestLimit after that a request through Feldera's API server cannot take effect any more
 * @param maxRows rows of one batch
 * @param maxBytes bytes of one batch's bodies; one row may exceed it
 * @param maxRowBytes bytes of one encoded row; a larger one is refused by name
 * @param linger from the oldest row of a batch to its sending; zero flushes every transaction
 * @param inFlight batches accepted but not complete
 * @param giveUpAfter without progress
 * @param driftInterval between two looks at the catalog for what the stream does not tell
 */
public record DeliverySettings(
        List<TableRoute> routes,
        AckMode ackMode,
        UnlistedTables unlisted,
        SnapshotMode snapshotMode,
        OnStateLoss onStateLoss,
        int snapshotParallelism,
        Unrepresentable unrepresentable,
        boolean requirePrimaryKey,
        boolean allowPartialPublication,
        int maxRows,
        long maxBytes,
        long maxRowBytes,
        Duration linger,
        int inFlight,
        Duration completionTimeout,
        Duration requestLimit,
        Duration giveUpAfter,
        Duration slotBusyLimit,
        Duration stopBudget,
        Duration driftInterval,
        DriftPolicy driftPolicy,
        Path stateFile) {

    /** The same, but nothing is read again without a person. */
    DeliverySettings stopping() {
        return new DeliverySettings(
                routes,
                ackMode,
                unlisted,
                snapshotMode,
                OnStateLoss.STOP,
                snapshotParallelism,
                unrepresentable,
                requirePrimaryKey,
                allowPartialPublication,
                maxRows,
                maxBytes,
                maxRowBytes,
                linger,
                inFlight,
                completionTimeout,
                requestLimit,
                giveUpAfter,
                slotBusyLimit,
                stopBudget,
                driftInterval,
                DriftPolicy.REPORT,
                stateFile);
    }

    /** Whether what the stream cannot bring is read again. */
    boolean mends() {
        return onStateLoss.mends(snapshotMode);
    }

    /** The level of "done" that moves the slot. */
    public enum AckMode {
        /** Feldera queued it: proves nothing. Exists to demonstrate the loss. */
        ACCEPTED,
        /** Processed, and every output connector has it. */
        COMPLETED
    }

    /** What a write to a published table without a route does. */
    public enum UnlistedTables {
        STOP,
        IGNORE
    }

    /** Whether tables are copied before they stream. */
    public enum SnapshotMode {
        /** Under the snapshot that the slot begins with. */
        INITIAL,
        NEVER,
        /** Before there is a slot: loses what is committed in between. Exists to demonstrate the loss. */
        INCONSISTENT
    }

    /** What is done when one of the ends has lost what the stream goes on from. */
    public enum OnStateLoss {
        /** The tables are read again, and what Feldera has of them is mended. */
        RESNAPSHOT,
        STOP;

        /** Where tables are never read, nothing is read again. */
        boolean mends(SnapshotMode mode) {
            return this == RESNAPSHOT && mode != SnapshotMode.NEVER;
        }
    }

    /** What is done about a table that changed in a way that the stream does not tell. */
    public enum DriftPolicy {
        REPORT,
        /** It is read again, once, beside the stream. */
        RESYNC
    }

    /** What becomes of a value that Feldera cannot hold. */
    public enum Unrepresentable {
        NULL,
        FAIL
    }
}
