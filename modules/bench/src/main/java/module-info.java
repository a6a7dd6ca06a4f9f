/** Benchmarks, end to end. Never part of the distribution. */
module tidemark.bench {
    requires tidemark.delivery;
}
