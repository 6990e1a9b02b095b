package dev.ingest.app.config;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What is subscribed to: names, or one pattern. Text that holds a character no topic name may hold
 * is a pattern, so {@code orders.v1} is a name and {@code orders\..*} is not. Immutable.
 */
public sealed interface Topics {
  /** Topics by name, in the order they were written. */
  record Names(List<String> names) implements Topics {
    public Names {
      names = List.copyOf(names);
    }

    @Override
    public boolean includes(String topic) {
      return names.contains(topic);
    }
  }

  /** Every topic whose whole name matches the regular expression. */
  record Matching(String regex) implements Topics {
    public Matching {
      Pattern.compile(regex);
    }

    @Override
    public boolean includes(String topic) {
      return Pattern.matches(regex, topic);
    }
  }

  boolean includes(String topic);

  /** Throws {@link InvalidValue}. */
  static Topics parse(String text) {
    List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    return names.stream().allMatch(name -> name.matches("[A-Za-z0-9._-]*"))
        ? names(names)
        : pattern(text);
  }

  private static Topics names(List<String> names) {
    for (String name : names) {
      if (name.isEmpty() || name.equals(".") || name.equals("..") || name.length() > 249) {
        throw InvalidValue.of(
            "holds no legal topic name at one place; use names of 1 to 249 characters");
      }
    }
    if (names.stream().distinct().count() < names.size()) {
      throw InvalidValue.of("names a topic twice; name it once");
    }
    return new Names(names);
  }

  private static Topics pattern(String text) {
    if (text.replaceAll("\\{[0-9]*,[0-9]*}", "").contains(",")) {
      throw InvalidValue.of(
          "mixes names and a pattern; use names, or one pattern such as (a|b-.*)");
    }
    try {
      return new Matching(text);
    } catch (PatternSyntaxException e) {
      throw InvalidValue.of(
          "is no regular expression (" + e.getDescription() + "); mend the pattern");
    }
  }
}
