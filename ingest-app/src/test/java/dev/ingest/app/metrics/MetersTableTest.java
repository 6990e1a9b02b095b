package dev.ingest.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.pipeline.IngestMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MetersTableTest {
  private static final String BEGIN = "<!-- meters:begin -->";
  private static final String END = "<!-- meters:end -->";

  @Test
  void theGuideHoldsTheTableAsItIsGenerated() throws IOException {
    String guide = Files.readString(Path.of("..", "ingest-app", "docs", "watching.md"));
    String between = guide.substring(guide.indexOf(BEGIN) + BEGIN.length(), guide.indexOf(END));

    assertThat(between.strip())
        .as("put IngestMeter.markdown() between the markers of ingest-app/docs/watching.md")
        .isEqualTo(IngestMeter.markdown().strip());
  }
}
