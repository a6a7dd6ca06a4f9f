package tidemark.delivery;

import java.util.Map;
import tidemark.decode.Lsn;
import tidemark.sink.FelderaName;

/**
 * The resume point (delivery-rules.md R1): in this life of the pipeline, {@code counts} operations on each endpoint
 * cover its table exactly up to {@code confirmable}. Durable before that position is confirmed.
 */
record Mark(Lsn confirmable, Map<FelderaName, Long> counts) {}
