package dev.ingest.app.http;

import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.IngestConsumer.State;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The part of the console that changes, as HTML. Immutable.
 *
 * @param alive whether the loops turn
 * @param ready whether the process does its work
 * @param rate events done a second
 */
record ConsoleState(
    List<ConsumerStatus> consumers, Verdict alive, Verdict ready, long rate, Instant now) {
  private static final int PARTITIONS_SHOWN = 24;
  private static final int FAULTS_SHOWN = 10;

  /** Sum over all consumers and topics. */
  static TopicCounts totals(List<ConsumerStatus> consumers) {
    return consumers.stream()
        .flatMap(consumer -> consumer.topics().values().stream())
        .reduce(TopicCounts.NONE, TopicCounts::plus);
  }

  /** Sum over all partitions whose lag is known. */
  static long lag(List<ConsumerStatus> consumers) {
    return consumers.stream()
        .flatMap(consumer -> consumer.partitions().values().stream())
        .mapToLong(lag -> lag.orElse(0L))
        .sum();
  }

  /** The state in words, and the figures. */
  String head() {
    TopicCounts totals = totals(consumers);
    return banner()
        + Html.figures(
            "events per second",
            Html.number(rate),
            "lag",
            Html.number(lag(consumers)),
            "inserted",
            Html.number(totals.inserted()),
            "duplicates",
            Html.number(totals.duplicates()),
            "parked",
            Html.number(totals.parked()),
            "skipped",
            Html.number(totals.skipped()));
  }

  private String banner() {
    Tone tone = !alive.ok() ? Tone.BAD : ready.ok() ? Tone.OK : Tone.WARN;
    String word =
        switch (tone) {
          case OK -> "Ready";
          case BAD -> "Failing";
          case WARN, OFF -> isPaused() ? "Paused" : "Not ready";
        };
    List<String> problems = alive.ok() ? ready.problems() : alive.problems();
    String said = problems.isEmpty() ? "Everything runs." : String.join(". ", problems) + ".";
    return "<p class=\"banner %s\" id=\"banner\">%s <span>%s</span></p>"
        .formatted(Words.of(tone), Html.mark(tone, word), Html.text(said));
  }

  private boolean isPaused() {
    return consumers.stream().anyMatch(consumer -> consumer.pause().isPresent());
  }

  /** What each consumer, topic and partition does, and the latest faults. */
  String tables() {
    return consumersTable() + topicsTable() + partitionsTable() + faultsTable();
  }

  private String consumersTable() {
    return Html.table(
        "Consumers",
        List.of("consumer", "state", "#partitions", "#polled", "#wrote", "#committed"),
        consumers.stream().map(this::consumerRow).toList(),
        "No consumer is started yet.");
  }

  private List<String> consumerRow(ConsumerStatus consumer) {
    return List.of(
        Html.text(consumer.name()),
        state(consumer),
        Html.number(consumer.partitions().size()),
        Html.ago(consumer.lastPoll(), now),
        Html.ago(consumer.lastWrite(), now),
        Html.ago(consumer.lastCommit(), now));
  }

  private static String state(ConsumerStatus consumer) {
    if (consumer.state() == State.FAILED) {
      return Html.mark(Tone.BAD, "failed");
    }
    if (consumer.state() != State.RUNNING) {
      return Html.mark(Tone.OFF, Words.of(consumer.state()));
    }
    if (consumer.pause().isPresent()) {
      return Html.mark(Tone.WARN, "paused");
    }
    return consumer.joined() ? Html.mark(Tone.OK, "running") : Html.mark(Tone.WARN, "joining");
  }

  private String topicsTable() {
    Map<String, TopicCounts> topics = new TreeMap<>();
    consumers.forEach(
        consumer ->
            consumer
                .topics()
                .forEach((topic, counts) -> topics.merge(topic, counts, TopicCounts::plus)));
    return Html.table(
        "Events since the start",
        List.of(
            "topic",
            "#polled",
            "#inserted",
            "#duplicates",
            "#parked",
            "#skipped",
            "#deleted",
            "#pending"),
        topics.entrySet().stream()
            .map(topic -> topicRow(topic.getKey(), topic.getValue()))
            .toList(),
        "No event has come yet.");
  }

  private static List<String> topicRow(String topic, TopicCounts counts) {
    return List.of(
        Html.text(topic),
        Html.number(counts.polled()),
        Html.number(counts.inserted()),
        Html.number(counts.duplicates()),
        Html.number(counts.parked()),
        Html.number(counts.skipped()),
        Html.number(counts.deleted()),
        Html.number(Math.max(0, counts.polled() - counts.released() - counts.done())));
  }

  private record Owned(TopicPartition partition, String consumer, Optional<Long> lag) {
    long lagOrZero() {
      return lag.orElse(0L);
    }
  }

  private String partitionsTable() {
    List<Owned> all = consumers.stream().flatMap(ConsoleState::owned).toList();
    long most = Math.max(1, all.stream().mapToLong(Owned::lagOrZero).max().orElse(0));
    List<Owned> shown =
        all.stream()
            .sorted(Comparator.comparingLong(Owned::lagOrZero).reversed())
            .limit(PARTITIONS_SHOWN)
            .sorted(Comparator.comparing(Owned::partition))
            .toList();
    String title =
        shown.size() == all.size()
            ? "Partitions"
            : "Partitions (" + shown.size() + " of " + all.size() + ", those with most lag)";
    return Html.table(
        title,
        List.of("partition", "consumer", "#lag", ""),
        shown.stream().map(each -> partitionRow(each, most)).toList(),
        "The group has given this process no partition.");
  }

  private static Stream<Owned> owned(ConsumerStatus consumer) {
    return consumer.partitions().entrySet().stream()
        .map(entry -> new Owned(entry.getKey(), consumer.name(), entry.getValue()));
  }

  private static List<String> partitionRow(Owned owned, long most) {
    return List.of(
        Html.text(owned.partition().topic()) + " · " + owned.partition().partition(),
        Html.text(owned.consumer()),
        owned.lag().map(Html::number).orElse("not known yet"),
        "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
            + "<rect class=\"track\" width=\"100\" height=\"8\"/><rect width=\""
            + owned.lagOrZero() * 100 / most
            + "\" height=\"8\"/></svg>");
  }

  private String faultsTable() {
    List<List<String>> rows =
        consumers.stream()
            .flatMap(consumer -> consumer.faults().stream())
            .sorted(Comparator.comparing(FaultNote::at).reversed())
            .limit(FAULTS_SHOWN)
            .map(ConsoleState::faultRow)
            .toList();
    return Html.table(
        "Latest faults",
        List.of("when (UTC)", "consumer", "kind", "sqlstate", "message"),
        rows,
        "None since the start.");
  }

  private static List<String> faultRow(FaultNote fault) {
    return List.of(
        Html.time(fault.at()),
        Html.text(fault.consumer()),
        Html.text(fault.kind()),
        Html.text(fault.sqlState()),
        Html.text(fault.message()));
  }
}
