package dev.ingest.architecture;

import static java.util.function.Predicate.not;
import static java.util.regex.Pattern.DOTALL;
import static java.util.regex.Pattern.MULTILINE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for the source files of one module. Each module's tests extend it. */
public abstract class SourceRules {
  private static final Pattern NULL_MARKED =
      Pattern.compile("\\A/\\*\\*\\s.+?\\*/\\s*@NullMarked\\s", DOTALL);
  private static final Pattern VAGUE =
      Pattern.compile("(.*\\.)?(utils?|commons?|helpers?|impl|dto|misc|shared)(\\..*)?");
  private static final int MOST_LINES = 300;
  private static final Pattern SAYS_WHY = Pattern.compile("^ \\*.* in one piece\\b", MULTILINE);
  private static final Pattern SLEEP =
      Pattern.compile(
          "\\b(Thread|TimeUnit|[A-Z]+SECONDS)\\s*\\.\\s*sleep\\s*\\(|\\bparkNanos\\s*\\(");
  private static final Pattern TEST_METHOD =
      Pattern.compile(
          "^ +@(Test|ParameterizedTest|RepeatedTest|TestFactory|Property|Example)\\b", MULTILINE);
  private static final Pattern TOP_LEVEL_ABSTRACT =
      Pattern.compile("^(public )?abstract class ", MULTILINE);
  private static final Pattern SERVER =
      Pattern.compile("\\b(Kafka|Postgres)(Extension|Server)\\b|\\bEmbeddedPostgres\\b");

  private final List<Source> main = Source.under(Source.MAIN);
  private final List<Source> test = Source.under(Source.TEST);

  @Test
  void everyPackageSaysItsPurposeAndIsNullMarked() {
    Set<String> packages = new TreeSet<>(all().map(Source::packageName).toList());

    all()
        .filter(source -> source.fileName().equals("package-info.java"))
        .filter(source -> source.has(NULL_MARKED))
        .map(Source::packageName)
        .forEach(packages::remove);

    assertThat(packages)
        .as("packages without a package-info.java that has a purpose and @NullMarked")
        .isEmpty();
  }

  @Test
  void noPackageHasAVagueName() {
    assertThat(all().map(Source::packageName).distinct())
        .as("name a package after what it does; put a type beside its only user")
        .noneMatch(name -> VAGUE.matcher(name).matches());
  }

  @Test
  void filesStaySmall() {
    assertThat(all().filter(longerThan(MOST_LINES)).filter(not(has(SAYS_WHY))))
        .as("files over %d lines: split, or say why it is clearer 'in one piece'", MOST_LINES)
        .isEmpty();
  }

  @Test
  void testsWaitForEventsNotForTime() {
    assertThat(test.stream().filter(has(SLEEP))).as("tests that sleep").isEmpty();
  }

  @Test
  void everyTestRuns() {
    assertThat(
            test.stream()
                .filter(has(TEST_METHOD).and(not(has(TOP_LEVEL_ABSTRACT))))
                .map(Source::fileName)
                .filter(name -> !name.endsWith("Test.java") && !name.endsWith("IT.java")))
        .as("files with tests that the build does not pick up: name them XTest or XIT")
        .isEmpty();
  }

  @Test
  void unitTestsUseNoServer() {
    assertThat(
            test.stream()
                .filter(source -> source.fileName().endsWith("Test.java"))
                .filter(has(SERVER)))
        .as("XTest has no I/O: name it XIT")
        .isEmpty();
  }

  private Stream<Source> all() {
    return Stream.concat(main.stream(), test.stream());
  }

  private static Predicate<Source> has(Pattern pattern) {
    return source -> source.has(pattern);
  }

  private static Predicate<Source> longerThan(int lines) {
    return source -> source.lines() > lines;
  }
}
