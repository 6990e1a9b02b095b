package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.send.Telemetry;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lines that a demo sends. Immutable.
 *
 * @param file the user's own; null for the built-in events
 * @param keyPointer JSON pointer to the business key in each line
 * @param readings made-up readings beside the built-in events
 */
record DemoInput(@Nullable Path file, String keyPointer, long readings) {
  private static final long SEED = 20_180_207;

  /**
   * @throws IngestException {@code CONFIG_INVALID} where the file can't be read
   */
  DemoInput {
    if (file != null && !(Files.isRegularFile(file) && Files.isReadable(file))) {
      throw new IngestException(
          Code.CONFIG_INVALID, "file=" + file + " can't be read; name a readable file.");
    }
    if (readings < 0) {
      throw new IngestException(Code.CONFIG_INVALID, "readings=" + readings + " is below 0.");
    }
  }

  Stream<String> lines() {
    if (file == null) {
      return Stream.concat(earthquakes(), Telemetry.readings(readings, SEED));
    }
    try {
      return Files.lines(file, UTF_8);
    } catch (IOException unreadable) {
      throw new IngestException(
          Code.CONFIG_INVALID,
          "file=" + file + " can't be read; name a readable file.",
          unreadable);
    }
  }

  private static Stream<String> earthquakes() {
    InputStream resource = DemoInput.class.getResourceAsStream("/demo/earthquakes.ndjson");
    BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(Objects.requireNonNull(resource, "earthquakes"), UTF_8));
    return reader.lines().onClose(() -> close(reader));
  }

  private static void close(BufferedReader reader) {
    try {
      reader.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
