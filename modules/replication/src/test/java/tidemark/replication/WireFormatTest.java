package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.decode.Lsn;
import tidemark.replication.SourceFailure.Kind;
import tidemark.replication.SourceSession.Received;

/** Frames and commands, byte for byte as the PostgreSQL documentation gives them. */
class WireFormatTest {
    private static final Lsn RECEIVED = Lsn.parse("16/B374D848");
    private static final Lsn CONFIRMED = Lsn.parse("16/B3740000");

    @Test
    void statusReplyTellsReceivedAsWrittenAndConfirmedAsFlushedAndApplied() {
        Instant oneSecondIn = Instant.parse("2000-01-01T00:00:01.000002Z");
        ByteBuffer bytes = ByteBuffer.wrap(new StandbyStatus(RECEIVED, CONFIRMED, oneSecondIn, true).encoded());
        assertThat(bytes.remaining()).isEqualTo(34);
        assertThat((char) bytes.get()).isEqualTo('r');
        assertThat(bytes.getLong()).isEqualTo(RECEIVED.value());
        assertThat(bytes.getLong()).isEqualTo(CONFIRMED.value());
        assertThat(bytes.getLong()).isEqualTo(CONFIRMED.value());
        assertThat(bytes.getLong()).isEqualTo(1_000_002);
        assertThat(bytes.get()).isEqualTo((byte) 1);
    }

    @Test
    void walMessageIsReadInPlace() {
        byte[] frame = ByteBuffer.allocate(28)
                .put((byte) 'w')
                .putLong(RECEIVED.value())
                .putLong(1)
                .putLong(2)
                .put(new byte[] {'B', 1, 2})
                .array();
        var message = (Received.WalMessage) WalFrame.read(frame);
        assertThat(message.walStart()).isEqualTo(RECEIVED);
        assertThat(message.buffer()).isSameAs(frame);
        assertThat(message.offset()).isEqualTo(25);
        assertThat(message.length()).isEqualTo(3);
    }

    @Test
    void keepaliveGivesItsPositionAndWhetherAReplyIsWanted() {
        byte[] frame = ByteBuffer.allocate(18)
                .put((byte) 'k')
                .putLong(RECEIVED.value())
                .putLong(2)
                .put((byte) 1)
                .array();
        assertThat(WalFrame.read(frame)).isEqualTo(new Received.Keepalive(RECEIVED));
        assertThat(WalFrame.requestsReply(frame)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "w", "k", "wtoo short", "kkkkkkkkkkkkkkkkkkk"})
    void anyOtherFrameStopsTheSession(String frame) {
        assertThatThrownBy(() -> WalFrame.read(frame.getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOfSatisfying(
                        SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.PROTOCOL));
    }

    @Test
    void publicationNamesAreQuotedAsIdentifiersInsideALiteral() {
        assertThat(ReplicationCommand.start("s_1", "It's \"odd\", isn't it", SlotOptions.ORDINARY))
                .isEqualTo("START_REPLICATION SLOT \"s_1\" LOGICAL 0/0"
                        + " (\"proto_version\" '1', \"publication_names\" '\"It''s \"\"odd\"\", isn''t it\"')");
    }

    @Test
    void slotsAreCreatedInTheGrammarOfTheServer() {
        assertThat(ReplicationCommand.createSlotExporting("s", SlotOptions.ORDINARY, 14))
                .isEqualTo("CREATE_REPLICATION_SLOT \"s\" LOGICAL pgoutput EXPORT_SNAPSHOT");
        assertThat(ReplicationCommand.createSlotExporting("s", SlotOptions.ORDINARY, 15))
                .isEqualTo("CREATE_REPLICATION_SLOT \"s\" LOGICAL pgoutput (SNAPSHOT 'export')");
        assertThat(ReplicationCommand.createTemporarySlotExporting("s", 18))
                .isEqualTo("CREATE_REPLICATION_SLOT \"s\" TEMPORARY LOGICAL pgoutput (SNAPSHOT 'export')");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Upper", "with space", "a\"b", "a;b", "é"})
    void onlyPostgresOwnSlotNamesGetIntoACommand(String slot) {
        assertThatThrownBy(() -> ReplicationCommand.requireSlotName(slot))
                .isInstanceOfSatisfying(
                        SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED));
    }
}
