package tidemark.delivery;

import java.util.List;
import java.util.Optional;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.FelderaTable;
import tidemark.sink.IngressReply;
import tidemark.sink.PipelineStats;
import tidemark.sink.PipelineStatus;
import tidemark.sink.QueryRows;
import tidemark.sink.TableBody;

/** A pipeline whose tokens cannot be read: they work as ever, and tell nothing (feldera.md §2). */
record UnreadableTokens(Destination real) implements Destination {
    @Override
    public String address() {
        return real.address();
    }

    @Override
    public PipelineStatus pipeline() {
        return real.pipeline();
    }

    @Override
    public List<FelderaTable> tables() {
        return real.tables();
    }

    @Override
    public IngressReply post(TableBody body) {
        IngressReply reply = real.post(body);
        return reply instanceof IngressReply.Accepted(CompletionToken token)
                ? new IngressReply.Accepted(new CompletionToken(token.text(), Optional.empty()))
                : reply;
    }

    @Override
    public Completion completion(CompletionToken token) {
        return real.completion(token);
    }

    @Override
    public QueryRows query(String sql, QueryRows.Limits limits) {
        return real.query(sql, limits);
    }

    @Override
    public PipelineStats stats() {
        return real.stats();
    }
}
