package dev.ingest.app.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.RouteSettings;
import dev.ingest.app.run.CoreSettings;
import dev.ingest.app.run.Pools;
import dev.ingest.app.verify.Report;
import dev.ingest.app.verify.Report.PartitionReport;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.mapping.TombstoneRule;
import dev.ingest.plan.Route;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Holds the topics against the target. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    header = "Holds the topics against the target.",
    description = {
      "Reads the topics up to the group's committed offsets and says for every offset, on each of its routes,",
      "whether its event's row is in the table, the event is parked or in the dead-letter topic, was passed over",
      "by a rule, or is missing; and how many keys are stored twice. Any table, also mapped or partitioned ones,",
      "with the settings of ingest run, unless a route deletes or marks rows by tombstones. Reads only.",
      "Exit code 0 if every offset is accounted for and no key is stored twice, 1 if a server can't be asked,",
      "2 for wrong settings or a route that deletes, 3 if something is missing or stored twice."
    },
    footer = {
      "",
      "Examples:",
      "  ingest verify",
      "  ingest verify --config prod.yaml --json",
      "  ingest verify --set ingest.errors.bad-event=dead-letter --set ingest.errors.dead-letter-topic=dead"
    })
final class VerifyCommand implements Callable<Integer> {
  private static final String ROW = "%-28s %12s %12s %12s %12s %12s %13s %10s %10s %10s%n";

  @Mixin private SettingOptions settings;
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print the report as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Config config = settings.load(EnumSet.allOf(Concern.class));
    requireNoDeletions(config);
    Report report =
        CoreSettings.verification(config)
            .run(config.kafka().properties(), Pools.single(config.postgres()));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(toJson(report));
    } else {
      print(out, report);
    }
    return report.holds() ? Main.DONE : Main.FOUND_PROBLEMS;
  }

  /** A row that was deleted can't be told from one that is missing. */
  private static void requireNoDeletions(Config config) {
    for (RouteSettings route : config.routes()) {
      TombstoneRule tombstone = route.target().rules().tombstone();
      if (tombstone.deletes()) {
        throw new IngestException(
            Code.CONFIG_INVALID,
            tombstoneSetting(route)
                + "="
                + tombstone
                + " deletes or marks rows, and verify can't tell a deleted row from a missing one; run"
                + " it with settings that hold the other routes alone.");
      }
    }
  }

  /** Also where a route has it from the setting for all. */
  private static String tombstoneSetting(RouteSettings route) {
    return route.name().equals(Route.DEFAULT)
        ? "ingest.tombstone"
        : "ingest.routes." + route.name() + ".tombstone";
  }

  private static String toJson(Report report) {
    JsonMapper mapper = new JsonMapper();
    ObjectNode json = mapper.createObjectNode();
    json.put("holds", report.holds());
    json.put("missing", report.missing());
    json.put("lag", report.lag());
    json.setAll((ObjectNode) mapper.valueToTree(report));
    for (int i = 0; i < report.partitions().size(); i++) {
      ((ObjectNode) json.get("partitions").get(i)).put("lag", report.partitions().get(i).lag());
    }
    return json.toPrettyString();
  }

  private static void print(PrintWriter out, Report report) {
    out.printf(
        ROW,
        "partition",
        "from",
        "to",
        "events",
        "stored",
        "parked",
        "dead-lettered",
        "skipped",
        "missing",
        "lag");
    for (PartitionReport each : report.partitions()) {
      out.printf(
          ROW,
          label(each),
          number(each.from()),
          number(each.to()),
          number(each.counts().events()),
          number(each.counts().stored()),
          number(each.counts().parked()),
          number(each.counts().deadLettered()),
          number(each.counts().skipped()),
          number(each.counts().missing()),
          number(each.lag()));
      if (!each.counts().missingOffsets().isEmpty()) {
        out.println("  missing offsets, the first: " + each.counts().missingOffsets());
      }
    }
    out.println(
        report.holds()
            ? "Every offset is accounted for; no key is stored twice."
            : "PROBLEMS: events missing="
                + report.missing()
                + ", keys stored twice="
                + report.keysTwice());
  }

  private static String label(PartitionReport each) {
    String partition = each.topic() + "-" + each.partition();
    return each.route().equals(Route.DEFAULT) ? partition : partition + " " + each.route();
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
