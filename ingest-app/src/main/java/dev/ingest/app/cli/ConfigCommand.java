package dev.ingest.app.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.ingest.app.config.Concern;
import dev.ingest.app.config.EffectiveSetting;
import dev.ingest.app.config.SettingsTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the settings that are in force. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    header = "Prints the settings in force and who set them.",
    description =
        "Every setting as 'ingest run' would use it, secrets masked. Connects to nothing. Exit code 2,"
            + " with every problem at once, where 'ingest run' would refuse to start.",
    footer = {
      "",
      "Examples:",
      "  ingest config",
      "  ingest config --config prod.yaml --set ingest.batch.max-events=500",
      "  ingest config --json",
      "  ingest config --table      every setting there is, as a Markdown table"
    })
final class ConfigCommand implements Callable<Integer> {
  @Mixin private SettingOptions settings;
  @Spec private CommandSpec spec;

  @ArgGroup(exclusive = true)
  private Form form = new Form();

  private static final class Form {
    @Option(names = "--json", description = "Print a JSON array of key, value, from.")
    private boolean json;

    @Option(names = "--table", description = "Print the table of all settings; reads none.")
    private boolean table;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (form.table) {
      out.print(SettingsTable.markdown());
    } else {
      List<EffectiveSetting> all = settings.load(EnumSet.allOf(Concern.class)).effective();
      out.print(form.json ? json(all) : text(all));
    }
    out.flush();
    return Main.DONE;
  }

  private static String text(List<EffectiveSetting> all) {
    int keys = all.stream().mapToInt(each -> each.key().length()).max().orElse(0);
    int values = all.stream().mapToInt(each -> each.value().length()).max().orElse(0);
    StringBuilder lines = new StringBuilder();
    for (EffectiveSetting each : all) {
      lines
          .append(pad(each.key(), keys))
          .append("  ")
          .append(pad(each.value(), Math.min(values, 60)));
      lines.append("  ").append(each.origin()).append('\n');
    }
    return lines.toString();
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String json(List<EffectiveSetting> all) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      json.writeStartArray();
      for (EffectiveSetting each : all) {
        json.writeStartObject();
        json.writeStringField("key", each.key());
        json.writeFieldName("value");
        json.writeString(each.isSet() ? each.value() : null);
        json.writeStringField("from", each.origin());
        json.writeEndObject();
      }
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }
}
