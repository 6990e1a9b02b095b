package dev.ingest.app.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.parked.ParkedFilter;
import dev.ingest.app.parked.ParkedRetry;
import dev.ingest.app.parked.RetryTally;
import dev.ingest.app.run.ParkedWriters;
import dev.ingest.app.run.Pools;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tries parked events again. */
@Command(
    name = "retry",
    mixinStandardHelpOptions = true,
    description = {
      "Tries parked events again, by the path that new events take: an event whose key is there adds no row.",
      "What is refused again stays parked with its new reason. May be stopped at any time and started again.",
      "Exit code 3 where events are still parked."
    },
    footer = {
      "",
      "Examples:",
      "  ingest parked retry --dry-run",
      "  ingest parked retry --constraint orders_customer_fkey",
      "  ingest parked retry --discarded --topic orders --offset 1311"
    })
final class ParkedRetryCommand implements Callable<Integer> {
  @Mixin private SettingOptions settings;
  @Mixin private ParkedOptions options;
  @Spec private CommandSpec spec;

  @Option(names = "--dry-run", description = "Only say which events would be tried.")
  private boolean dryRun;

  @Option(names = "--discarded", description = "Try discarded events instead of parked ones.")
  private boolean discarded;

  @Option(
      names = "--max-attempts",
      paramLabel = "N",
      description =
          "Leave events alone that were tried so often; ingest.parked.max-attempts where not given.")
  private @Nullable Integer maxAttempts;

  @Option(
      names = "--ask-only",
      description = "Leave the work to ingest run, which tries what is asked for.")
  private boolean askOnly;

  @Option(names = "--json", description = "Print the outcome as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Config config = settings.load(EnumSet.of(Concern.POSTGRES, Concern.SOURCE));
    int attempts = maxAttempts == null ? config.parked().maxAttempts() : maxAttempts;
    ParkedFilter filter =
        options
            .filter(List.of(discarded ? ParkedFilter.DISCARDED : ParkedFilter.PARKED))
            .triedLessThan(attempts);
    if (dryRun) {
      return ParkedCauses.dryRun(config, filter, json, spec.commandLine().getOut());
    }
    try (HikariDataSource pool = Pools.pool(config.postgres(), 2)) {
      return retry(new ParkedRetry(pool, ParkedWriters.of(config, pool)), filter);
    } catch (SQLException failed) {
      throw OneConnection.failure("trying parked events", failed);
    }
  }

  private int retry(ParkedRetry retry, ParkedFilter filter) throws SQLException {
    long asked = discarded ? retry.askDiscarded(filter) : retry.ask(filter);
    Map<String, RuntimeException> failures = new TreeMap<>();
    RetryTally tally = askOnly ? RetryTally.NONE : tryAll(retry, failures);
    report(asked, tally);
    if (filter.route() != null) {
      failures.keySet().retainAll(Set.of(filter.route())); // the others' failures are in the tally
    }
    if (!failures.isEmpty()) {
      throw failures.values().iterator().next();
    }
    return tally.stored() == tally.events() ? Main.DONE : Main.FOUND_PROBLEMS;
  }

  private RetryTally tryAll(ParkedRetry retry, Map<String, RuntimeException> failures)
      throws SQLException {
    ProgressLine progress =
        new ProgressLine(System.err, Terminal.showsErrors(), InstantSource.system());
    RetryTally tally = RetryTally.NONE;
    RetryTally step = retry.step(failures);
    while (step.events() > 0) {
      RetryTally now = tally.plus(step);
      tally = now;
      progress.show(() -> "tried " + now.events() + ", stored " + now.stored());
      step = retry.step(failures);
    }
    return tally;
  }

  private void report(long asked, RetryTally tally) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("asked", asked);
      fields.put("tried", tally.events());
      fields.put("stored", tally.stored());
      fields.put("parkedAgain", tally.parkedAgain());
      fields.put("passedOver", tally.passedOver());
      fields.put("kept", tally.kept());
      out.println(Json.line(fields));
    } else if (askOnly) {
      out.println("Asked for " + asked + " events to be tried.");
    } else {
      out.println(
          "Tried "
              + tally.events()
              + " events: "
              + tally.stored()
              + " stored, "
              + tally.parkedAgain()
              + " parked again, "
              + tally.passedOver()
              + " passed over (gone meanwhile, or kept in Kafka alone)"
              + kept(tally)
              + ".");
    }
  }

  private static String kept(RetryTally tally) {
    return tally.kept() == 0
        ? ""
        : ", " + tally.kept() + " kept to be tried again (their route can't be written now)";
  }
}
