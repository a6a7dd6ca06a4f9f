package tidemark.app;

import java.util.List;
import java.util.Optional;

/**
 * Why a request was refused, as JSON-B writes it.
 *
 * @param tables the configured ones, where the request named another
 */
public record RefusedReply(String error, String remedy, Optional<List<String>> tables) {
    RefusedReply(String error, String remedy) {
        this(error, remedy, Optional.empty());
    }
}
