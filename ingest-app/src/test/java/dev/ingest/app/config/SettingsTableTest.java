package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SettingsTableTest {
  @Test
  void readmeHoldsTheTableAsItIsGenerated() throws IOException {
    String readme = Files.readString(Path.of("..", "README.md"));
    String between =
        readme.substring(
            readme.indexOf(SettingsTable.BEGIN) + SettingsTable.BEGIN.length(),
            readme.indexOf(SettingsTable.END));

    assertThat(between.strip())
        .as("put the output of 'ingest config --table' between the markers of README.md")
        .isEqualTo(SettingsTable.markdown().strip());
  }

  @Test
  void everyRowHasFourCells() {
    assertThat(SettingsTable.markdown().lines())
        .allSatisfy(line -> assertThat(line.split(" \\| ", -1)).hasSize(4));
  }
}
