package tidemark.delivery;

import java.util.Optional;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.IngressReply;
import tidemark.sink.TableBody;

/** A pipeline whose tokens cannot be read: they work as ever, and tell nothing (feldera.md §2). */
final class UnreadableTokens extends ForwardingDestination {
    UnreadableTokens(Destination real) {
        super(real);
    }

    @Override
    public IngressReply post(TableBody body) {
        IngressReply reply = super.post(body);
        return reply instanceof IngressReply.Accepted(CompletionToken token)
                ? new IngressReply.Accepted(new CompletionToken(token.text(), Optional.empty()))
                : reply;
    }
}
