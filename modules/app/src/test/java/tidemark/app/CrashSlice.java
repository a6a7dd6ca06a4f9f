package tidemark.app;

/**
 * How much of the crash tests runs: all of it, or what a seed chooses for CI ({@code -Dcrash.slice=SEED}).
 *
 * @param seed of everything random in them
 */
record CrashSlice(long seed, boolean whole) {
    private static final long SEED_OF_THE_WHOLE = 1;

    static CrashSlice asked() {
        String seed = System.getProperty("crash.slice", "");
        return seed.isBlank() ? new CrashSlice(SEED_OF_THE_WHOLE, true) : new CrashSlice(Long.parseLong(seed), false);
    }

    int of(int all, int some) {
        return whole ? all : some;
    }
}
