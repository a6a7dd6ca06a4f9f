package tidemark.standin;

import java.util.Collection;

/** {@code /metrics} in Prometheus's text format: those of Feldera's metrics that the stand-in has values for. */
record MetricsText(Circuit circuit, Collection<Endpoint> endpoints, long late) {
    String text() {
        var text = new StringBuilder();
        add(
                text,
                "records_input_buffered",
                "Total amount of data currently buffered by all endpoints, in records.",
                "gauge",
                endpoints.stream().mapToLong(Endpoint::bufferedRecords).sum());
        add(
                text,
                "records_input_buffered_bytes",
                "Total amount of data currently buffered by all endpoints, in bytes.",
                "gauge",
                endpoints.stream().mapToLong(Endpoint::bufferedBytes).sum());
        add(
                text,
                "records_input_total",
                "Total amount of data received from all connectors, in records.",
                "counter",
                endpoints.stream().mapToLong(Endpoint::totalRecords).sum());
        add(
                text,
                "records_input_bytes_total",
                "Total amount of data received from all connectors, in bytes.",
                "counter",
                endpoints.stream().mapToLong(Endpoint::totalBytes).sum());
        add(
                text,
                "records_processed_total",
                "Total amount of input processed by the pipeline, in records.",
                "counter",
                circuit.counters().processedRecords());
        add(text, "records_late_total", "Number of records dropped due to LATENESS annotations.", "counter", late);
        add(
                text,
                "transaction_state",
                "0 without a transaction, 1 in an open one, 2 during its commit.",
                "gauge",
                circuit.transactions().code());
        return text.toString();
    }

    private static void add(StringBuilder text, String name, String help, String type, long value) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        text.append(name).append(' ').append(value).append("\n\n");
    }
}
