package dev.ingest.app.send;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is sent. Immutable.
 *
 * @param topic exists already
 * @param keyPointer JSON pointer to the record key in each line; null for records without a key
 * @param repeat how often the whole input is sent, at least 1
 * @param duplicatesPercent share of the sent records that repeat an earlier one, 0 to 99
 * @param scatter whether records go to random partitions instead of their key's
 * @param seed of everything random
 */
public record SendPlan(
    String topic,
    @Nullable String keyPointer,
    int repeat,
    int duplicatesPercent,
    boolean scatter,
    long seed) {
  /**
   * @throws IngestException {@code CONFIG_INVALID} where a value is out of its bounds
   */
  public SendPlan {
    Objects.requireNonNull(topic, "topic");
    if (repeat < 1) {
      throw invalid("repeat=" + repeat + " is below 1");
    }
    if (duplicatesPercent < 0 || duplicatesPercent > 99) {
      throw invalid("duplicates=" + duplicatesPercent + " is outside 0..99");
    }
    if (keyPointer != null && !keyPointer.startsWith("/")) {
      throw invalid("key=" + keyPointer + " is no JSON pointer; write it as in /order/id");
    }
  }

  private static IngestException invalid(String problem) {
    return new IngestException(Code.CONFIG_INVALID, problem + ".");
  }
}
