package tidemark.standin;

/**
 * The body of one POST, piece by piece. The API server has all of it before the pipeline hears of it; a process reads
 * as it comes, and what is whole of it takes effect before the rest is there (feldera.md 1.4).
 */
interface BodyPieces {
    /** The next piece; there is one more after it for as long as it says so. Waits for the client. */
    ReceivedBody next(IngressParameters.Lines lines);
}
