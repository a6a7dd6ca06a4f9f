package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tidemark.decode.Tuple;

/** A row as a decoder would show it: values one after the other in a buffer that begins and ends with other bytes. */
final class HandMadeTuple implements Tuple {
    static final String NULL = new String("\\N");
    static final String UNCHANGED = new String("unchanged");
    private static final int MARGIN = 3;

    private final List<byte[]> values = new ArrayList<>();
    private final List<ColumnKind> kinds = new ArrayList<>();
    private final byte[] buffer;

    private HandMadeTuple(List<byte[]> texts, List<ColumnKind> kinds) {
        values.addAll(texts);
        this.kinds.addAll(kinds);
        buffer = new byte[texts.stream().mapToInt(text -> text.length).sum() + 2 * MARGIN];
        Arrays.fill(buffer, (byte) '"');
        for (int i = 0; i < texts.size(); i++) {
            System.arraycopy(texts.get(i), 0, buffer, start(i), texts.get(i).length);
        }
    }

    /** {@link #NULL} and {@link #UNCHANGED} are told from text by being those very objects. */
    @SuppressWarnings("ReferenceEquality") // that is the point
    static HandMadeTuple row(String... texts) {
        var values = new ArrayList<byte[]>();
        var kinds = new ArrayList<ColumnKind>();
        for (String text : texts) {
            boolean isText = text != NULL && text != UNCHANGED;
            values.add(isText ? text.getBytes(StandardCharsets.UTF_8) : new byte[0]);
            kinds.add(isText ? ColumnKind.TEXT : text == NULL ? ColumnKind.NULL : ColumnKind.UNCHANGED_TOAST);
        }
        return new HandMadeTuple(values, kinds);
    }

    static HandMadeTuple ofBytes(byte[] only) {
        return new HandMadeTuple(List.of(only), List.of(ColumnKind.TEXT));
    }

    @Override
    public int size() {
        return values.size();
    }

    @Override
    public ColumnKind kind(int column) {
        return kinds.get(column);
    }

    @Override
    public int start(int column) {
        return MARGIN
                + values.subList(0, column).stream()
                        .mapToInt(text -> text.length)
                        .sum();
    }

    @Override
    public int length(int column) {
        return values.get(column).length;
    }

    @Override
    public byte[] buffer() {
        return buffer;
    }
}
