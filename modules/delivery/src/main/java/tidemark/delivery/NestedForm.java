package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.sink.FelderaTable;
import tidemark.sink.FelderaTable.Parts;

/**
 * A value that is made of others: its parts one after the other, each with its length before it, in an order that does
 * not depend on how they were written. The two ends do not sort such values alike.
 */
sealed interface NestedForm extends ComparableForm permits ArrayForm, MapForm, RowForm {
    static Optional<ComparableForm> of(Parts parts) {
        return switch (parts) {
            case Parts.None _ -> Optional.empty();
            case Parts.Component(var element) -> ComparableForm.of(element).map(ArrayForm::new);
            case Parts.Entries(var _, var value) -> ComparableForm.of(value).map(MapForm::new);
            case Parts.Fields(List<FelderaTable.Field> fields) -> row(fields);
        };
    }

    private static Optional<ComparableForm> row(List<FelderaTable.Field> fields) {
        List<RowForm.Field> forms = new ArrayList<>();
        for (FelderaTable.Field field : fields) {
            ComparableForm.of(field.type())
                    .ifPresent(form -> forms.add(new RowForm.Field(field.name().text(), form)));
        }
        return forms.size() == fields.size() ? Optional.of(new RowForm(List.copyOf(forms))) : Optional.empty();
    }

    ComparableForm ofPart(int index);

    @Override
    default boolean isSortable() {
        return false;
    }

    /** Part by part, as two parts may be one value without having the same bytes. */
    @Override
    default boolean isSame(byte[] a, int aStart, int aEnd, byte[] b, int bStart, int bEnd) {
        if (ComparableForm.super.isSame(a, aStart, aEnd, b, bStart, bEnd)) return true;
        if (a[aStart] == NULL || b[bStart] == NULL) return false;
        int i = aStart + 1;
        int j = bStart + 1;
        for (int part = 0; i < aEnd && j < bEnd; part++) {
            int iStart = i + Long.BYTES;
            int jStart = j + Long.BYTES;
            i = iStart + ComparableBytes.measured(a, iStart);
            j = jStart + ComparableBytes.measured(b, jStart);
            if (!ofPart(part).isSame(a, iStart, i, b, jStart, j)) return false;
        }
        return i == aEnd && j == bEnd;
    }
}
