package dev.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PrefixSearchTest {

  @Property
  void culpritsAreExactlyTheBadOnesWithinTheBound(
      @ForAll @IntRange(max = 300) int size,
      @ForAll @Size(max = 8) Set<@IntRange(max = 299) Integer> marked) {
    Set<Integer> bad = marked.stream().filter(i -> i < size).collect(Collectors.toSet());
    AtomicInteger tries = new AtomicInteger();

    List<PrefixSearch.Found<Integer, Integer>> found =
        PrefixSearch.run(
            numbers(size),
            items -> {
              tries.incrementAndGet();
              return items.stream().filter(bad::contains).findFirst();
            });

    assertThat(found).extracting(PrefixSearch.Found::item).containsExactlyElementsOf(sorted(bad));
    assertThat(found).allMatch(each -> each.item().equals(each.fault()));
    assertThat(tries).hasValueLessThanOrEqualTo(bound(bad.size(), size));
  }

  /** Two items of one colour do not go together, as under a second unique index. */
  @Property
  void ofItemsThatAreBadOnlyTogetherTheFirstStays(
      @ForAll @Size(max = 60) List<@IntRange(max = 40) Integer> colours) {
    Set<Integer> seen = new HashSet<>();
    List<Integer> later =
        IntStream.range(0, colours.size()).filter(i -> !seen.add(colours.get(i))).boxed().toList();
    AtomicInteger tries = new AtomicInteger();

    List<PrefixSearch.Found<Integer, String>> found =
        PrefixSearch.run(
            numbers(colours.size()),
            items -> {
              tries.incrementAndGet();
              Set<Integer> used = new HashSet<>();
              return items.stream().allMatch(i -> used.add(colours.get(i)))
                  ? Optional.empty()
                  : Optional.of("23505");
            });

    assertThat(found).extracting(PrefixSearch.Found::item).containsExactlyElementsOf(later);
    assertThat(tries).hasValueLessThanOrEqualTo(bound(later.size(), colours.size()));
  }

  @Test
  void nothingToSearchTakesNoTry() {
    assertThat(
            PrefixSearch.run(
                List.of(),
                items -> {
                  throw new AssertionError("tried");
                }))
        .isEmpty();
  }

  @Test
  void faultOfTheTrialItselfPassesThrough() {
    assertThatThrownBy(
            () ->
                PrefixSearch.run(
                    List.of(1, 2),
                    items -> {
                      throw new IllegalStateException("away");
                    }))
        .hasMessage("away");
  }

  /** As the class says: k * (ceil(log2 n) + 1) + 1. */
  private static int bound(int bad, int size) {
    int log = size <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    return bad * (log + 1) + 1;
  }

  private static List<Integer> numbers(int size) {
    return IntStream.range(0, size).boxed().toList();
  }

  private static Set<Integer> sorted(Set<Integer> numbers) {
    return new TreeSet<>(numbers);
  }
}
