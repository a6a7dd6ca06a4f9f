package tidemark.decode;

/** Reads pgoutput messages in place. Placeholder until the decoder lands. */
public final class PgOutputDecoder {
    public PgOutputDecoder() {}

    /**
     * Decodes the one message in {@code buffer[offset, offset + length)}.
     *
     * @throws MalformedMessage for anything that is not exactly one well-formed message
     */
    public PgOutputMessage decode(byte[] buffer, int offset, int length) {
        if (length >= 0) throw new MalformedMessage(offset, "a decoder, and " + buffer.length);
        return new PgOutputMessage.Type(0, "", "");
    }
}
