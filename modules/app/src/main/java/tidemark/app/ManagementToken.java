package tidemark.app;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The secret that asks for what changes something. Never printed. */
final class ManagementToken {
    private final String header;

    ManagementToken(String text) {
        this.header = "Bearer " + text;
    }

    /** What a request carries as {@code Authorization}. */
    String header() {
        return header;
    }

    /** Takes as long for a wrong one, whatever is wrong with it. */
    boolean isIn(String authorization) {
        return MessageDigest.isEqual(bytes(header), bytes(authorization));
    }

    @Override
    public String toString() {
        return "********";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
