package dev.ingest.app.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchemaCheckTest {
  @Test
  void programNeedsTheNewestMigration() throws IOException {
    Path folder =
        Path.of("..", "ingest-core", "src", "main", "resources", "dev", "ingest", "schema");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .isNotEmpty()
          .allMatch(name -> name.matches("V[0-9]+__[a-z_]+\\.sql"))
          .extracting(name -> Integer.parseInt(name.replaceAll("V([0-9]+)__.*", "$1")))
          .doesNotHaveDuplicates()
          .contains(SchemaCheck.VERSION)
          .allMatch(version -> version <= SchemaCheck.VERSION);
    }
  }
}
