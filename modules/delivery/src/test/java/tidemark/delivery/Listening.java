package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Hears what the connector logs, for a test that promises something of it. */
final class Listening extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("tidemark.delivery");
    private final List<String> lines = new ArrayList<>();

    Listening() {
        logger.addHandler(this);
    }

    @Override
    public synchronized void publish(LogRecord told) {
        lines.add(told.getLevel() + " " + new SimpleFormatter().formatMessage(told));
    }

    synchronized List<String> linesWith(String... parts) {
        return lines.stream()
                .filter(line -> List.of(parts).stream().allMatch(line::contains))
                .toList();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
