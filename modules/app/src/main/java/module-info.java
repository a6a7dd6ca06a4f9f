/** The Helidon MP service: wiring, configuration, fault tolerance, health, metrics, status, command line. */
module tidemark.app {
    requires tidemark.decode;
    requires tidemark.replication;
    requires tidemark.sink;
    requires tidemark.delivery;
    requires io.helidon;
    requires io.helidon.faulttolerance;
    requires io.helidon.logging.jul;
    requires io.helidon.microprofile.config;
    requires io.helidon.microprofile.health;
    requires io.helidon.microprofile.metrics;
    requires io.helidon.microprofile.server;
    requires jakarta.annotation;
    requires jakarta.cdi;
    requires jakarta.inject;
    requires jakarta.interceptor;
    requires jakarta.json.bind;
    requires jakarta.ws.rs;
    requires java.logging;
    requires java.net.http;
    requires jdk.unsupported;
    requires microprofile.config.api;
    requires microprofile.fault.tolerance.api;
    requires microprofile.health.api;
    requires microprofile.metrics.api;

    exports tidemark.app;

    opens tidemark.app to
            weld.core.impl,
            io.helidon.microprofile.cdi,
            io.helidon.microprofile.faulttolerance,
            org.glassfish.hk2.utilities,
            org.eclipse.yasson;
}
