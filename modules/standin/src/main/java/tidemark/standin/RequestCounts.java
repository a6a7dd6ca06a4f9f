package tidemark.standin;

/**
 * What went through to one route.
 *
 * @param seen requests whose head was read, whatever became of them
 * @param inFlight read and neither answered nor given up: until the first byte of the reply is passed on. A request in
 *     a black hole is in flight only for its client and not counted
 * @param maxInFlight the most there ever were at a time
 */
public record RequestCounts(long seen, int inFlight, int maxInFlight) {
    static final RequestCounts NONE = new RequestCounts(0, 0, 0);

    RequestCounts begun() {
        return new RequestCounts(seen + 1, inFlight + 1, Math.max(maxInFlight, inFlight + 1));
    }

    RequestCounts held() {
        return new RequestCounts(seen + 1, inFlight, maxInFlight);
    }

    RequestCounts ended() {
        return new RequestCounts(seen, inFlight - 1, maxInFlight);
    }
}
