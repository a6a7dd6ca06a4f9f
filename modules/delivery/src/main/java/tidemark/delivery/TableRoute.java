package tidemark.delivery;

import tidemark.decode.RelationName;
import tidemark.sink.FelderaName;

/** One configured pair: this PostgreSQL table goes into that Feldera table. */
public record TableRoute(RelationName postgres, FelderaName feldera) {}
