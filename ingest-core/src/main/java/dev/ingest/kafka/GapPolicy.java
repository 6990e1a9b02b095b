package dev.ingest.kafka;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.util.List;
import java.util.stream.Collectors;

/** Decides whether to go on where records are gone unread. Called on polling threads. */
@FunctionalInterface
public interface GapPolicy {
  /** Stops the consumer and tells the exact gap of each partition. */
  GapPolicy STOP =
      gaps -> {
        String list = gaps.stream().map(Gap::toString).collect(Collectors.joining("; "));
        throw new IngestException(
            Code.OFFSETS_OUT_OF_RANGE,
            "the topic no longer holds what the group reads next: "
                + list
                + ". Those records can't be read any more. To go on with what is there and record"
                + " the gap, start once with --accept-gap.");
      };

  /**
   * @return true to go on at the start of each partition, false to be asked again later
   * @throws IngestException to stop the consumer
   */
  boolean goesOn(List<Gap> gaps);
}
