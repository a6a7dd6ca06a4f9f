package tidemark.sink;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tidemark.standin.PipelineClient;
import tidemark.standin.RecordedProgram;

/** The facts of the recorded exchanges, asked of any Feldera. Each test begins in a pipeline that has just started. */
abstract class ExchangesContract implements IngressExchanges, TransactionExchanges, QueryExchanges {
    private FelderaClient client;
    private Deployment deployment;
    private PipelineClient feldera;

    /** Of a pipeline that runs {@link RecordedProgram}. */
    @Override
    public abstract FelderaSettings settings();

    @BeforeEach
    void startEmpty() {
        client = new FelderaClient(settings());
        deployment = new Deployment(settings(), client);
        deployment.startAgain();
        feldera = Deployment.raw(settings());
    }

    @AfterEach
    void closeClient() {
        client.close();
    }

    @Override
    public PipelineClient feldera() {
        return feldera;
    }

    @Override
    public Deployment deployment() {
        return deployment;
    }
}
