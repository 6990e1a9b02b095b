package dev.ingest.app.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Report REPORT =
      new Report(
          "pipeline",
          "Which one is faster?",
          Map.of("cpu", "abacus <2>"),
          Map.of("rounds", "3"),
          "ours",
          List.of(new Metric("rate", "events/s", 0), new Metric("batch", "batch", 0)),
          List.of(Chart.bars("Rate", "rate"), Chart.lines("Curve", "batch", "rate")),
          List.of("Read it rightly."),
          List.of(
              sample("ours", "a", 1, 1000),
              sample("theirs", "a", 1, 250),
              sample("ours", "a", 2, 3000),
              sample("theirs", "a", 2, 750),
              sample("ours", "a", 3, 2000),
              sample("ours", "b", 1, 10)));

  private static Sample sample(String contestant, String load, int round, double rate) {
    return new Sample(contestant, load, round, Map.of("rate", rate, "batch", 100.0));
  }

  @Test
  void tableHasMediansSpreadAndRatioWithinALoad() {
    StringWriter out = new StringWriter();

    ReportText.print(REPORT, new PrintWriter(out, true));

    assertThat(out.toString())
        .containsPattern("a +ours +2,000 +1,000\\.\\.3,000 +1\\.00 +100\n")
        .containsPattern("a +theirs +500 +250\\.\\.750 +0\\.25 +100\n")
        .containsPattern("b +ours +10 +10\\.\\.10 +1\\.00 +100\n")
        .contains("Read it rightly.", "rounds=3", "cpu=abacus <2>");
  }

  @Test
  void jsonHasMediansAndEveryRun() throws IOException {
    JsonNode json = new JsonMapper().readTree(ReportJson.write(REPORT));

    JsonNode theirs = json.at("/results/1");
    assertThat(theirs.at("/contestant").asText()).isEqualTo("theirs");
    assertThat(theirs.at("/rate/median").asDouble()).isEqualTo(500);
    assertThat(theirs.at("/rate/lowest").asDouble()).isEqualTo(250);
    assertThat(theirs.at("/rate/highest").asDouble()).isEqualTo(750);
    assertThat(json.at("/runs")).hasSize(6);
    assertThat(json.at("/runs/2/round").asInt()).isEqualTo(2);
    assertThat(json.at("/environment/cpu").asText()).isEqualTo("abacus <2>");
  }

  @Test
  void pageIsSelfContainedAndEscaped() {
    String page = ReportHtml.write(REPORT);

    assertThat(page)
        .startsWith("<!doctype html>")
        .contains("abacus &lt;2&gt;", "Every run", "2,000")
        .doesNotContain("abacus <2>", "http:", "https:", "src=", "href=", "@import", "url(");
    assertThat(Pattern.compile("<svg ").matcher(page).results()).hasSize(2);
    assertThat(page).contains("width=\"366.7\"").doesNotContain("NaN", "Infinity");
  }

  @Test
  void whatWasNotMeasuredIsShownAsSuch() {
    Report report =
        new Report(
            "latency",
            "?",
            Map.of(),
            Map.of(),
            "ours",
            List.of(new Metric("p99", "p99 ms", 1)),
            List.of(Chart.bars("Latency", "p99")),
            List.of(),
            List.of(new Sample("ours", "", 1, Map.of())));

    assertThat(ReportHtml.write(report)).contains("Not measured.").contains("<td>–</td>");
    assertThat(ReportJson.write(report)).doesNotContain("NaN");
  }
}
