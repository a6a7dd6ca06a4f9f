package tidemark.delivery;

import java.util.Optional;

/**
 * Where the state survives. Implemented by {@link StateFile} and by the simulation's memory; both pass one contract.
 *
 * <p>Methods block on the disk. Called by one thread at a time.
 */
interface StateStore {
    /**
     * @param state empty from scratch
     * @param ours nobody but this process wrote it
     */
    record Known(Optional<ReplicationState> state, boolean ours) {
        /**
         * Whether somebody may have left a request behind that still takes effect, and that we know not of.
         *
         * @param begun somebody has begun before us: what is found without a state
         */
        boolean leftBehind(boolean begun) {
            return state.map(known -> !ours && !known.clean()).orElse(begun);
        }
    }

    /** The right to begin a session, for as long as no slot is held that would say the same. */
    interface Turn extends AutoCloseable {
        /** Once is enough, more do no harm. */
        @Override
        void close();
    }

    /** Empty while another process is beginning a session with this state. */
    Optional<Turn> takeTurn();

    /** @throws UnreadableState when there is a state that this version cannot use */
    Known read();

    /**
     * Finds out before anything is made that only a state can account for: a slot keeps WAL from its first moment.
     *
     * @throws UnreadableState when the disk refuses
     */
    void requireWritable();

    /**
     * Durable when it returns.
     *
     * @throws UnreadableState when the disk refuses: nothing may be confirmed then
     * @throws SessionOver when another process wrote since, or is writing: it has taken over
     */
    void write(ReplicationState state);
}
