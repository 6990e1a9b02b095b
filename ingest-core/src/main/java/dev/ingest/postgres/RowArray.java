package dev.ingest.postgres;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An array parameter of the insert: one column's values for all rows.
 *
 * @param column whose values they are, as the catalog has it
 * @param elementType such as {@code text} or {@code int8}
 * @param inputType full type whose input function reads the elements; null where none does
 * @param required whether a row without a value is refused, as it is for key columns and the time
 *     of the dedupe window
 * @param defaultBit number of the bit that says "absent, use the default", over all masks; {@link
 *     #NO_DEFAULT} where absent is NULL
 */
record RowArray(
    String column,
    String elementType,
    @Nullable String inputType,
    boolean required,
    int defaultBit,
    RowValue value) {
  static final int NO_DEFAULT = -1;

  RowArray {
    Objects.requireNonNull(column, "column");
    Objects.requireNonNull(elementType, "elementType");
    Objects.requireNonNull(value, "value");
  }

  /** The parameters of all arrays and, after them, of as many masks, as SQL writes them. */
  static String parameters(List<RowArray> arrays, int masks) {
    List<String> parameters = new ArrayList<>();
    arrays.forEach(array -> parameters.add("?::" + array.elementType() + "[]"));
    parameters.addAll(Collections.nCopies(masks, "?::int8[]"));
    return String.join(", ", parameters);
  }

  /** What the columns of these parameters are called. */
  static String names(List<RowArray> arrays, int masks) {
    return Stream.concat(
            IntStream.range(0, arrays.size()).mapToObj(i -> "c" + i),
            IntStream.range(0, masks).mapToObj(i -> "m" + i))
        .collect(Collectors.joining(", "));
  }

  /** All parameters side by side, as columns of a select list with these names. */
  static String unnested(List<RowArray> arrays, int masks) {
    Stream<String> values =
        IntStream.range(0, arrays.size())
            .mapToObj(i -> "unnest(?::%s[]) AS c%d".formatted(arrays.get(i).elementType(), i));
    Stream<String> bits = IntStream.range(0, masks).mapToObj(i -> "unnest(?::int8[]) AS m" + i);
    return Stream.concat(values, bits).collect(Collectors.joining(", "));
  }

  Optional<String> checkedType() {
    return Optional.ofNullable(inputType);
  }
}
