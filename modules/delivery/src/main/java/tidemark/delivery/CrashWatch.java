package tidemark.delivery;

import java.util.List;
import tidemark.sink.IngressReply;

/**
 * Sees what one {@link DeliveryCore} is told and what it decides, before anything comes of it, and knows by that which
 * {@link CrashPoint} is passed, and by which batch. Batches are counted as the core counts them: from 1 in every copy
 * and in every session's stream.
 *
 * <p>Owned by the connector's thread. A crash is what it is for.
 */
final class CrashWatch {
    private final CrashKit kit;
    private final boolean armed;
    private long posted;
    private long accepted;
    private long marked;
    private long confirmed;

    CrashWatch(CrashKit kit) {
        this.kit = kit;
        this.armed = kit.isArmed();
    }

    /** A row of the stream, for this batch, is at that point. */
    void row(CrashPoint point, long batch) {
        if (armed) kit.passes(point, batch);
    }

    /** The copy goes on. */
    void copying() {
        if (armed) kit.passes(CrashPoint.MID_SNAPSHOT, accepted);
    }

    /** This batch of a TRUNCATE's retractions, counted from 1, is about to be sent. */
    void retracts(long batch) {
        if (armed) kit.passes(CrashPoint.MID_TRUNCATE, batch);
    }

    /** This batch of the differences of a table that is read again, counted from 1, is about to be sent. */
    void mends(long batch) {
        if (armed) kit.passes(CrashPoint.MID_RESYNC, batch);
    }

    /** The core is about to be told. */
    void hears(Event event) {
        if (!armed) return;
        if (event instanceof Event.Answered(long batch, IngressReply.Accepted _)) {
            kit.passes(CrashPoint.AFTER_POST_BEFORE_REPLY, batch);
        }
        if (event instanceof Event.Recorded) kit.passes(CrashPoint.AFTER_MARK_BEFORE_CONFIRM, marked);
    }

    /** The core has decided, and nothing of it is done. */
    void decided(List<Decision> decisions, long batchesAccepted, long batchesCompleted) {
        if (!armed) return;
        accepted = batchesAccepted;
        kit.passes(CrashPoint.AFTER_ACCEPT, batchesAccepted);
        kit.passes(CrashPoint.AFTER_COMPLETE, batchesCompleted);
        for (Decision decision : decisions) {
            if (decision instanceof Decision.Post(long batch, var _)) posts(batch);
            if (decision instanceof Decision.Persist) marked = batchesCompleted;
            if (decision instanceof Decision.Confirm) confirmed = marked;
        }
    }

    private void posts(long batch) {
        kit.passes(batch == posted ? CrashPoint.BETWEEN_TABLES_OF_A_BATCH : CrashPoint.BEFORE_POST, batch);
        posted = batch;
    }

    /** So many status replies were sent since the last call, with the newest position. */
    void replied(long replies) {
        if (armed && replies > 0) kit.passes(CrashPoint.AFTER_CONFIRM_BEFORE_PERSIST, confirmed);
    }
}
