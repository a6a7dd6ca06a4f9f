package tidemark.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A class that breaks a boundary does not compile, although everything it asks for is on the module path. */
class BoundariesTest {
    private static final List<Path> MODULE_PATH = new ModuleGraph().modulePath();

    @ParameterizedTest
    @CsvSource({
        "tidemark.decode, java.net.http.HttpClient",
        "tidemark.decode, java.sql.Connection",
        "tidemark.decode, jakarta.json.Json",
        "tidemark.replication, java.net.http.HttpClient",
        "tidemark.replication, io.helidon.webclient.api.WebClient",
        "tidemark.replication, tidemark.sink.Destination",
        "tidemark.sink, tidemark.replication.ChangeSource",
        "tidemark.sink, tidemark.decode.Lsn",
        "tidemark.sink, java.sql.Connection",
        "tidemark.sink, org.postgresql.PGConnection",
        "tidemark.delivery, jakarta.enterprise.context.ApplicationScoped",
        "tidemark.delivery, org.eclipse.microprofile.config.Config",
        "tidemark.delivery, java.sql.Connection",
        "tidemark.delivery, java.net.http.HttpClient",
        "tidemark.delivery, io.helidon.webclient.api.WebClient",
        "tidemark.app, tidemark.standin.FelderaStandin",
    })
    void aClassThatBreaksABoundaryDoesNotCompile(String module, String type, @TempDir Path scratch) throws IOException {
        String itsPackage = type.substring(0, type.lastIndexOf('.'));
        assertThat(new Probe(MODULE_PATH, scratch).errorsOf(module, type))
                .as("%s naming %s", module, type)
                .hasSize(1)
                .allMatch(error -> error.startsWith("compiler.err.package.not.visible: package " + itsPackage));
    }

    /** Otherwise the test above would also pass over a module path on which nothing compiles. */
    @ParameterizedTest
    @CsvSource({
        "tidemark.decode, java.nio.ByteBuffer",
        "tidemark.replication, java.sql.Connection",
        "tidemark.replication, tidemark.decode.Lsn",
        "tidemark.sink, io.helidon.webclient.api.WebClient",
        "tidemark.delivery, tidemark.replication.ChangeSource",
        "tidemark.delivery, tidemark.sink.Destination",
        "tidemark.app, jakarta.enterprise.context.ApplicationScoped",
    })
    void aClassThatKeepsToTheBoundariesCompiles(String module, String type, @TempDir Path scratch) throws IOException {
        assertThat(new Probe(MODULE_PATH, scratch).errorsOf(module, type)).isEmpty();
    }
}
