package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.replication.SourceFailure.Kind;

class ClassificationTest {
    @ParameterizedTest
    @CsvSource({
        "08006, TRANSIENT",
        "08001, TRANSIENT",
        "08003, TRANSIENT",
        "08P01, PROTOCOL",
        "08004, MISCONFIGURED",
        "57P01, TRANSIENT",
        "57P02, TRANSIENT",
        "57P03, TRANSIENT",
        "57014, TRANSIENT",
        "57P04, PERMANENT",
        "53300, TRANSIENT",
        "53100, TRANSIENT",
        "53200, TRANSIENT",
        "40001, TRANSIENT",
        "53400, MISCONFIGURED",
        "55006, SLOT_BUSY",
        "55000, PERMANENT",
        "28P01, CREDENTIALS",
        "28000, CREDENTIALS",
        "42501, CREDENTIALS",
        "3D000, MISCONFIGURED",
        "42704, MISCONFIGURED",
        "0A000, MISCONFIGURED",
        "42P01, PERMANENT",
        "42710, SLOT_BUSY",
        "22021, DATA",
        "22012, DATA",
        "XX000, PERMANENT",
        "57, PERMANENT",
        "'', PERMANENT",
    })
    void sqlStateDecidesAndTheUnknownIsPermanent(String state, Kind kind) {
        assertThat(Classification.bySqlState(state)).isEqualTo(kind);
    }

    /** Each is the server's, and what helps is not to look whether it runs. */
    @ParameterizedTest
    @CsvSource({
        "53300, max_connections",
        "53200, max_locks_per_transaction",
        "53100, disk",
        "40001, max_standby_streaming_delay",
        "57P01, postgres.url",
    })
    void whatPassesByItselfNamesWhatElseHelps(String state, String remedy) {
        var failure = Classification.of("copy", new SQLException("no", state));
        assertThat(failure.remedy()).contains(remedy);
        assertThat(failure.getMessage()).isEqualTo("copy: no (SQLSTATE %s)".formatted(state));
    }

    @Test
    void anExceptionWithoutSqlStateIsPermanent() {
        assertThat(Classification.of("try", new SQLException("?")).kind()).isEqualTo(Kind.PERMANENT);
    }

    @Test
    void aCertificateThatIsNotTrustedIsNotTriedAgain() {
        var handshake = new SSLHandshakeException("bad");
        handshake.initCause(new CertificateException("not trusted"));
        assertThat(kindOfConnecting(handshake)).isEqualTo(Kind.MISCONFIGURED);
    }

    @Test
    void aHandshakeThatTheNetworkBrokeIsTriedAgain() {
        var handshake = new SSLHandshakeException("terminated");
        handshake.initCause(new EOFException());
        assertThat(kindOfConnecting(handshake)).isEqualTo(Kind.TRANSIENT);
    }

    @Test
    void aMissingFileIsNotTriedAgain() {
        assertThat(kindOfConnecting(new FileNotFoundException("root.crt"))).isEqualTo(Kind.MISCONFIGURED);
    }

    private static Kind kindOfConnecting(Exception beneath) {
        return Classification.ofConnecting("connect", new SQLException("broken", "08006", beneath))
                .kind();
    }

    @Test
    void messagesOfClassesThatMayQuoteRowsAreNotRepeated() {
        var failure = Classification.of("copy", new SQLException("invalid input: \"row value\"", "22P02"));
        assertThat(failure.getMessage()).isEqualTo("copy (SQLSTATE 22P02)");
    }
}
