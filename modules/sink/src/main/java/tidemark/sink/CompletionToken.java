package tidemark.sink;

import java.util.Optional;

/**
 * What Feldera answered to a POST; sent back verbatim.
 *
 * @param mark what the token says about itself, when it can be read (feldera.md §2); a token that cannot is no error, only the
 *     end of counting by tokens
 */
public record CompletionToken(String text, Optional<Mark> mark) {
    /**
     * @param incarnation the life of the pipeline that took the rows
     * @param count operations that the endpoint has taken in this life, all clients together
     */
    public record Mark(String incarnation, long endpoint, long count) {}
}
