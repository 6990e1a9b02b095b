package dev.ingest.app.cli;

import dev.ingest.app.dev.DevServers;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the whole path on servers of its own. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    header = "Shows the whole path on servers of its own.",
    description = {
      "Starts a real PostgreSQL and a real Kafka on free ports of this machine, sends events with a"
          + " share",
      "of duplicates, ingests them with two consumers and shows that the numbers add up."
    },
    footer = {
      "",
      "Examples:",
      "  ingest demo",
      "  ingest demo --file orders.ndjson --key /order/id",
      "  ingest demo --stay"
    })
final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Send the lines of this NDJSON file instead of the built-in events.")
  private @Nullable Path file;

  @Option(
      names = "--key",
      paramLabel = "POINTER",
      defaultValue = "/id",
      description = "JSON pointer to the business key in each line (default: ${DEFAULT-VALUE}).")
  private String key = "/id";

  @Option(
      names = "--duplicates",
      paramLabel = "PERCENT",
      defaultValue = "20",
      description = "Share of records that repeat an earlier one (default: ${DEFAULT-VALUE}).")
  private int duplicates;

  @Option(
      names = "--readings",
      paramLabel = "N",
      defaultValue = "50000",
      description =
          "Made-up sensor readings beside 1,707 real earthquakes (default: ${DEFAULT-VALUE}).")
  private long readings;

  @Option(names = "--stay", description = "Keep the servers running and print how to reach them.")
  private boolean stay;

  @Override
  public Integer call() throws InterruptedException {
    DemoRun demo =
        new DemoRun(
            new DemoInput(file, key, readings), duplicates, System.out, System.console() != null);
    System.out.println("Starting PostgreSQL and Kafka on free ports of 127.0.0.1 ...");
    try (DevServers servers = DevServers.start()) {
      boolean addsUp = demo.run(servers);
      if (stay) {
        stay(servers);
      } else {
        System.out.println(
            "Look further:  ingest demo --stay   keeps the servers running for psql.");
      }
      return addsUp ? Main.DONE : Main.FAILED;
    }
  }

  private static void stay(DevServers servers) throws InterruptedException {
    System.out.printf(
        "Both servers stay until Ctrl-C:%n  psql -h 127.0.0.1 -p %d -U postgres postgres -c 'SELECT"
            + " count(*) FROM ingest.event'%n  ingest send --topic demo --key /id FILE --set"
            + " ingest.kafka.bootstrap.servers=%s%n  ingest run --set ingest.source.topics=demo"
            + " --set ingest.source.group-id=demo \\%n    --set ingest.kafka.bootstrap.servers=%s"
            + " \\%n    --set ingest.postgres.url=%s --set ingest.postgres.user=%s%n",
        servers.postgres().port(),
        servers.kafka().bootstrap(),
        servers.kafka().bootstrap(),
        servers.postgres().url(),
        servers.postgres().user());
    CountDownLatch interrupted = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(interrupted::countDown, "signal"));
    interrupted.await();
  }
}
