package tidemark.delivery;

import java.util.List;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.FelderaTable;
import tidemark.sink.IngressReply;
import tidemark.sink.PipelineStats;
import tidemark.sink.PipelineStatus;
import tidemark.sink.QueryRows;
import tidemark.sink.TableBody;

/** Another pipeline, but for what a subclass does differently. */
abstract class ForwardingDestination implements Destination {
    private final Destination real;

    /** @param real asked for everything */
    ForwardingDestination(Destination real) {
        this.real = real;
    }

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
        return real.post(body);
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
