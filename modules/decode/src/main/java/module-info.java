/** pgoutput bytes to messages, COPY rows to tuples, LSNs. Knows java.base only. */
module tidemark.decode {
    exports tidemark.decode;
}
