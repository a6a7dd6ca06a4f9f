package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private static ManagementGate.Visit visit(SocketAddress peer, String... headers) {
        Map<String, String> byName = new HashMap<>(Map.of("host", "127.0.0.1:8080"));
        for (int i = 0; i < headers.length; i += 2) byName.put(headers[i], headers[i + 1]);
        return new ManagementGate.Visit(byName, peer, from("10.9.9.9"));
    }

    @Test
    void withoutATokenItIsOpenToProgramsOnTheSameMachineAlone() {
        var gate = new ManagementGate(Optional.empty());
        assertThat(gate.closedTo(visit(HERE))).isEmpty();
        assertThat(gate.closedTo(visit(from("::1"), "host", "[::1]:8080"))).isEmpty();
        assertThat(gate.closedTo(visit(from("10.9.9.9"), "host", "10.9.9.9:8080")))
                .as("its own address")
                .isEmpty();
        ManagementGate.Closed closed = gate.closedTo(visit(ELSEWHERE, "authorization", "Bearer anything"))
                .orElseThrow();
        assertThat(closed.status()).isEqualTo(403);
        assertThat(closed.remedy()).contains("management.token");
        assertThat(gate.closedTo(visit(InetSocketAddress.createUnresolved("localhost", 1))))
                .as("nobody knows where that is")
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "x-forwarded-for, 10.1.2.3",
        "forwarded, for=10.1.2.3",
        "via, 1.1 proxy",
        "origin, http://evil.example",
        "sec-fetch-site, cross-site",
        "host, evil.example:8080"
    })
    void whatAProxyOrAPageSendsIsNotFromTheSameMachine(String header, String value) {
        var gate = new ManagementGate(Optional.empty());
        assertThat(gate.closedTo(visit(HERE, header, value))).isPresent();
        assertThat(gate.closedTo(visit(from("127.0.0.6")))).as("a mesh").isPresent();
    }

    @Test
    void withATokenItIsOpenToWhoeverHasItAndToNobodyElse() {
        var gate = new ManagementGate(Optional.of(new ManagementToken("open-sesame")));
        assertThat(gate.closedTo(visit(ELSEWHERE, "authorization", "Bearer open-sesame", "via", "1.1 proxy")))
                .isEmpty();
        for (String wrong : new String[] {"", "open-sesame", "Bearer ", "Bearer open-sesame ", "Bearer other"}) {
            assertThat(gate.closedTo(visit(HERE, "authorization", wrong))
                            .orElseThrow()
                            .status())
                    .as(wrong)
                    .isEqualTo(401);
        }
    }

    @Test
    void theTokenIsNotPrinted() {
        assertThat(new ManagementToken("open-sesame").toString()).doesNotContain("sesame");
    }
}
