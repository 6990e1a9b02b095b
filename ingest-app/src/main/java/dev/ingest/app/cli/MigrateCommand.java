package dev.ingest.app.cli;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.run.Pools;
import dev.ingest.app.schema.MigrationResult;
import dev.ingest.app.schema.Migrations;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Brings the schema up to date. */
@Command(
    name = "migrate",
    mixinStandardHelpOptions = true,
    header = "Creates the schema 'ingest', or brings it up to date.",
    description =
        "Needs a role that may CREATE, unless nothing is to do; connect to the server itself, not"
            + " through a pooler. Waits 2 s for a lock at most, then tries again later. May be run any"
            + " number of times, also by many at once.",
    footer = {
      "",
      "Examples:",
      "  ingest migrate",
      "  ingest migrate --dry-run > pending.sql",
      "  ingest migrate --set ingest.postgres.user=owner --set ingest.postgres.password-file=owner.txt",
      "",
      "A role that only runs needs, after that:",
      "  GRANT USAGE ON SCHEMA ingest TO app;",
      "  GRANT SELECT ON ALL TABLES IN SCHEMA ingest TO app;",
      "  GRANT INSERT ON ingest.event, ingest.parked TO app;",
      "  GRANT UPDATE ON ingest.parked TO app;"
    })
final class MigrateCommand implements Callable<Integer> {
  @Mixin private SettingOptions settings;
  @Spec private CommandSpec spec;

  @Option(names = "--dry-run", description = "Print the SQL that would run; change nothing.")
  private boolean dryRun;

  @Override
  public Integer call() {
    Config config = settings.load(EnumSet.of(Concern.POSTGRES));
    Migrations migrations = new Migrations(Pools.forMigrations(config.postgres()));
    PrintWriter out = spec.commandLine().getOut();
    if (dryRun) {
      String sql = migrations.pendingSql();
      out.print(sql.isEmpty() ? "-- Nothing to do: the schema is up to date.\n" : sql);
    } else {
      MigrationResult result = migrations.migrate();
      out.println(
          "schema ingest ready: version="
              + result.version()
              + " applied="
              + result.applied()
              + " took="
              + result.took().toMillis()
              + "ms");
    }
    out.flush();
    return Main.DONE;
  }
}
