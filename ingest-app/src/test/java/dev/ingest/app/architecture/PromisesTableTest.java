package dev.ingest.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The tests that README and guide name for promises and faults are there, and say so themselves.
 */
final class PromisesTableTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))`");

  private static final Pattern PROMISE =
      Pattern.compile("^\\| (I\\d) \\|.*\\| (.*) \\|$", Pattern.MULTILINE);

  /** One cell of the README's table. */
  private record Proof(String promise, String test) {}

  @Test
  void everyPromiseNamesTestsThatNameThePromise() throws IOException {
    List<Proof> proofs =
        all(PROMISE, Files.readString(ROOT.resolve("README.md"))).stream()
            .flatMap(
                row ->
                    all(TEST, row.group(2)).stream()
                        .map(test -> new Proof(row.group(1), test.group(1))))
            .toList();

    assertThat(proofs.stream().map(Proof::promise).distinct())
        .isEqualTo(IntStream.rangeClosed(1, 8).mapToObj(number -> "I" + number).toList());
    assertThat(proofs)
        .allSatisfy(
            proof ->
                assertThat(source(proof.test()))
                    .as(proof.test())
                    .hasValueSatisfying(
                        text -> assertThat(text).containsPattern("\\b" + proof.promise() + "\\b")));
  }

  @Test
  void everyTestInTheGuideToFaultsIsThere() throws IOException {
    String guide = Files.readString(Path.of("docs", "faults.md"));

    assertThat(all(TEST, guide))
        .isNotEmpty()
        .allSatisfy(test -> assertThat(source(test.group(1))).as(test.group(1)).isPresent());
  }

  private static List<MatchResult> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }

  private static Optional<String> source(String test) throws IOException {
    for (String module : List.of("ingest-core", "ingest-app")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
        Optional<Path> found = files.filter(file -> file.endsWith(test + ".java")).findFirst();
        if (found.isPresent()) {
          return Optional.of(Files.readString(found.get()));
        }
      }
    }
    return Optional.empty();
  }
}
