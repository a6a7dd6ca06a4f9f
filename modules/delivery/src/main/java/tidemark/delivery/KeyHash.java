package tidemark.delivery;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import tidemark.decode.Tuple;
import tidemark.delivery.ColumnMatch.Bound;

/**
 * Says in a log which row is meant, without its key: the first 8 hexadecimal digits of the MD5 of the key's text,
 * several columns joined by commas in Feldera's order, without nulls. In PostgreSQL: {@code left(md5(concat_ws(',', a,
 * b)), 8)}. To find a row again, not to keep its key secret.
 *
 * @param positions of the columns in the tuples; none where nothing names a row
 */
record KeyHash(List<Integer> positions) {
    private static final int HASH_BYTES = 4;
    private static final String NONE = "none";

    static KeyHash ofKey(List<Bound> bound) {
        return new KeyHash(bound.stream()
                .filter(Bound::key)
                .map(column -> column.source().position())
                .toList());
    }

    String of(Tuple row) {
        boolean known =
                positions.stream().noneMatch(position -> row.kind(position) == Tuple.ColumnKind.UNCHANGED_TOAST);
        if (!known) return NONE;
        return of(positions.stream()
                .filter(position -> row.kind(position) == Tuple.ColumnKind.TEXT)
                .map(position -> Arrays.copyOfRange(
                        row.buffer(), row.start(position), row.start(position) + row.length(position)))
                .toList());
    }

    /** Of what PostgreSQL prints of these columns. */
    static String of(List<byte[]> texts) {
        if (texts.isEmpty()) return NONE;
        MessageDigest digest = md5();
        IntStream.range(0, texts.size()).forEach(index -> {
            if (index > 0) digest.update((byte) ',');
            digest.update(texts.get(index));
        });
        return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new InvariantViolation("every Java platform has MD5: " + e.getMessage());
        }
    }
}
