package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a user starts it, with servers of its own. */
class DemoIT {
  private static final int HEAP = 256;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @Test
  void endsWithNumbersThatAddUpAndSomeRows() {
    try (Program demo = Program.start(HEAP, List.of("demo", "--readings", "300"))) {
      assertThat(demo.awaitExit(PATIENCE)).as(demo.output()).isZero();

      // 2,007 different events are 80 % of what is sent.
      assertThat(number(demo, "sent to Kafka")).isEqualTo(2508);
      assertThat(number(demo, "of them sent again")).isEqualTo(501);
      assertThat(number(demo, "polled")).isEqualTo(2508);
      assertThat(number(demo, "inserted")).isEqualTo(2007);
      assertThat(number(demo, "duplicates")).isEqualTo(501);
      assertThat(number(demo, "events missing")).isZero();
      assertThat(number(demo, "offsets not yet read")).isZero();
      assertThat(demo.output())
          .contains("The numbers add up", "Some rows of ingest.event:", "ingest demo --stay")
          .doesNotContain("\tat ", "\u001b");
    }
  }

  @Test
  void ingestsTheFileOfTheUser(@TempDir Path directory) throws IOException {
    List<String> lines =
        IntStream.range(0, 10).mapToObj(i -> "{\"order\":{\"id\":" + i % 8 + "}}").toList();
    Path file = Files.write(directory.resolve("orders.ndjson"), lines, UTF_8);

    try (Program demo =
        Program.start(
            HEAP,
            List.of(
                "demo", "--file", file.toString(), "--key", "/order/id", "--duplicates", "0"))) {
      assertThat(demo.awaitExit(PATIENCE)).as(demo.output()).isZero();

      assertThat(number(demo, "sent to Kafka")).isEqualTo(10);
      assertThat(number(demo, "inserted")).isEqualTo(8);
      assertThat(number(demo, "duplicates")).isEqualTo(2);
    }
  }

  @Test
  void saysWhatIsWrongBeforeAnyServerIsStarted() {
    assertWrong("file=absent.ndjson can't be read", "--file", "absent.ndjson");
    assertWrong("key=id is no JSON pointer", "--key", "id");
    assertWrong("duplicates=100 is outside 0..99", "--duplicates", "100");
    assertWrong("readings=-1 is below 0", "--readings=-1");
  }

  private static void assertWrong(String message, String... options) {
    String[] arguments = new String[options.length + 1];
    arguments[0] = "demo";
    System.arraycopy(options, 0, arguments, 1, options.length);

    Command demo = Command.run(arguments);

    assertThat(demo.exitCode()).isEqualTo(2);
    assertThat(demo.err().lines())
        .singleElement()
        .asString()
        .startsWith("CONFIG_INVALID: ")
        .contains(message);
  }

  /** From the table of conservation, whose rows are a title and a number. */
  private static long number(Program demo, String title) {
    return demo.output()
        .lines()
        .filter(line -> line.strip().matches(title + " +[0-9,]+"))
        .map(line -> line.strip().substring(title.length()).strip().replace(",", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow(() -> new AssertionError("No row " + title + " in:\n" + demo.output()));
  }
}
