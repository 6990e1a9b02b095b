package dev.ingest.app.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Types without a unit: words, text, paths. */
final class TextTypes {
  private TextTypes() {}

  static <T> ValueType<T> of(String values, Function<String, T> parser) {
    return new ValueType<>() {
      @Override
      public T parse(String text) {
        return parser.apply(text);
      }

      @Override
      public String values() {
        return values;
      }
    };
  }

  /** Any text of 1 to {@code maxLength} characters without control characters. */
  static ValueType<String> text(int maxLength) {
    return of(
        "text",
        text -> {
          if (text.length() > maxLength) {
            throw InvalidValue.of("is longer than " + maxLength + " characters; use a shorter one");
          }
          if (text.chars().anyMatch(Character::isISOControl)) {
            throw InvalidValue.of("holds a control character; leave it out");
          }
          return text;
        });
  }

  /** Names joined by commas, each once. */
  static ValueType<List<String>> names() {
    return of(
        "names",
        text -> {
          List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
          if (names.stream().anyMatch(String::isEmpty)) {
            throw InvalidValue.of("holds an empty name; join names by single commas");
          }
          if (names.stream().distinct().count() < names.size()) {
            throw InvalidValue.of("holds a name twice; keep one");
          }
          return names;
        });
  }

  /** Text that is never shown. */
  static ValueType<Secret> secret() {
    return of("text", Secret::new);
  }

  static ValueType<Path> path() {
    return of(
        "a path",
        text -> {
          try {
            return Path.of(text);
          } catch (InvalidPathException e) {
            throw InvalidValue.of("is not a path; use one of this system");
          }
        });
  }

  static ValueType<Boolean> bool() {
    return words(List.of(true, false), String::valueOf);
  }

  /** The constants of an enum, in kebab-case. */
  static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type) {
    return words(
        Arrays.asList(type.getEnumConstants()),
        constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  /** Constants of an enum in kebab-case, joined by commas, each once. */
  static <E extends Enum<E>> ValueType<List<E>> several(Class<E> type) {
    ValueType<E> one = oneOf(type);
    return of(one.values(), text -> names().parse(text).stream().map(one::parse).toList());
  }

  private static <T> ValueType<T> words(List<T> constants, Function<T, String> word) {
    List<String> words = constants.stream().map(word).toList();
    return of(
        words.stream().map(each -> "`" + each + "`").collect(Collectors.joining(" · ")),
        text -> {
          int index = words.indexOf(text);
          if (index < 0) {
            throw InvalidValue.of("is unknown; use " + String.join(", ", words));
          }
          return constants.get(index);
        });
  }
}
