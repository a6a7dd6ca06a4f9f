package tidemark.replication;

import java.time.Duration;
import java.util.Optional;

/** What a backend waits for when it waits for others, in words for whoever has to do something about it. */
sealed interface Awaited {
    /** What a line of the log about it begins with, up to the number of the process. */
    String line();

    /** Empty where nobody is known. */
    Optional<String> whom(Blockers seen);

    /** What is said where nobody is known; empty: nothing is. */
    Optional<String> nobody();

    /** Why it failed. */
    String inVain(Duration patience, String whom);

    /** @param seen at last; empty: that could not be asked */
    String remedy(Optional<Blockers> seen);

    /** The end of all transactions that are older than a slot, before it exists. */
    record OlderTransactions(String slot) implements Awaited {
        /**
         * A standby has no transactions of its own, and knows those of the primary from a record in the WAL, which an
         * idle primary does not write.
         */
        private static final String OF_THE_PRIMARY =
                "a record of the running transactions of the primary, or for older transactions there";

        @Override
        public String line() {
            return "wait for older transactions before the slot exists walsender";
        }

        @Override
        public Optional<String> whom(Blockers seen) {
            return isOfThePrimary(seen) ? Optional.of(OF_THE_PRIMARY) : seen.inWords();
        }

        private static boolean isOfThePrimary(Blockers seen) {
            return seen.onStandby() && seen.transactions().isEmpty();
        }

        @Override
        public Optional<String> nobody() {
            return Optional.of("nobody that PostgreSQL names");
        }

        @Override
        public String inVain(Duration patience, String whom) {
            return "create replication slot %s: waited for %s for transactions older than it, at last for %s"
                    .formatted(slot, patience, whom);
        }

        @Override
        public String remedy(Optional<Blockers> seen) {
            return seen.filter(OlderTransactions::isOfThePrimary)
                    .map(
                            _ ->
                                    "on the primary: SELECT pg_log_standby_snapshot() while the slot is being made, and end what"
                                            + " is old there (pg_stat_activity, pg_prepared_xacts); or raise session.give-up-after")
                    .orElse(OlderTransaction.END_THEM);
        }
    }

    /** Locks on tables, which somebody has, or asked for before. */
    record Locks(String attempted, String remedy) implements Awaited {
        @Override
        public String line() {
            return "wait for a lock pid";
        }

        @Override
        public Optional<String> whom(Blockers seen) {
            return seen.inWords()
                    .map(who -> seen.table()
                            .map(table -> "whoever holds table %s, or asked for it first: %s".formatted(table, who))
                            .orElse(who));
        }

        /** It is slow, and waits for no lock. */
        @Override
        public Optional<String> nobody() {
            return Optional.empty();
        }

        @Override
        public String inVain(Duration patience, String whom) {
            return "%s: waited for %s for %s".formatted(attempted, patience, whom);
        }

        @Override
        public String remedy(Optional<Blockers> seen) {
            return remedy;
        }
    }
}
