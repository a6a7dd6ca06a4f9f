package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ManagementGateTest {
    private static final SocketAddress HERE = from("127.0.0.1");
    private static final SocketAddress ELSEWHERE = from("10.1.2.3");

    private static SocketAddress from(String address) {
        try {
            return new InetSocketAddress(InetAddress.getByName(address), 40_000);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void withoutATokenItIsOpenToTheSameMachineAlone() {
        var gate = new ManagementGate(Optional.empty());
        assertThat(gate.closedTo("", HERE)).isEmpty();
        assertThat(gate.closedTo("", from("::1"))).isEmpty();
        ManagementGate.Closed closed =
                gate.closedTo("Bearer anything", ELSEWHERE).orElseThrow();
        assertThat(closed.status()).isEqualTo(403);
        assertThat(closed.remedy()).contains("management.token");
        assertThat(gate.closedTo("", InetSocketAddress.createUnresolved("localhost", 1)))
                .as("nobody knows where that is")
                .isPresent();
    }

    @Test
    void withATokenItIsOpenToWhoeverHasItAndToNobodyElse() {
        var gate = new ManagementGate(Optional.of(new ManagementToken("open-sesame")));
        assertThat(gate.closedTo("Bearer open-sesame", ELSEWHERE)).isEmpty();
        for (String wrong : new String[] {"", "open-sesame", "Bearer ", "Bearer open-sesame ", "Bearer other"}) {
            assertThat(gate.closedTo(wrong, HERE).orElseThrow().status())
                    .as(wrong)
                    .isEqualTo(401);
        }
    }

    @Test
    void theTokenIsNotPrinted() {
        assertThat(new ManagementToken("open-sesame").toString()).doesNotContain("sesame");
    }
}
