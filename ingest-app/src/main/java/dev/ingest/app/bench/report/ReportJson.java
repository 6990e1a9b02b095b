package dev.ingest.app.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;

/** The report for programs: medians with spread first, then every run. */
public final class ReportJson {
  private static final JsonMapper MAPPER = new JsonMapper();

  private ReportJson() {}

  public static String write(Report report) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("scenario", report.scenario());
    root.set("environment", MAPPER.valueToTree(report.environment()));
    root.set("settings", MAPPER.valueToTree(report.settings()));
    root.put("reference", report.reference());
    root.set("metrics", MAPPER.valueToTree(report.metrics()));
    ArrayNode results = root.putArray("results");
    Result.of(report.samples()).forEach(each -> result(report, each, results.addObject()));
    root.set("runs", MAPPER.valueToTree(report.samples()));
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IngestException(Code.INTERNAL, "the report can't be written as JSON", impossible);
    }
  }

  private static void result(Report report, Result result, ObjectNode node) {
    node.put("contestant", result.contestant()).put("load", result.load());
    node.put("rounds", result.runs().size());
    for (Metric metric : report.metrics()) {
      double median = result.median(metric.name());
      if (Double.isFinite(median)) {
        node.putObject(metric.name())
            .put("median", median)
            .put("lowest", result.lowest(metric.name()))
            .put("highest", result.highest(metric.name()));
      }
    }
  }
}
