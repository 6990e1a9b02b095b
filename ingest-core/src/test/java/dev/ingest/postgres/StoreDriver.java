package dev.ingest.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.event.TopicPartition;
import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Batch;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.plan.Tombstones;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Writes events through a store as the write loop does, parking what is refused. */
final class StoreDriver {
  /** What became of the events. */
  record Sums(int inserted, int duplicates, List<RejectedEvent> parked, int deleted) {}

  private final PostgresEventStore store;
  private final EventReader reader;
  private long nextOffset;

  StoreDriver(DataSource database, TargetMapping mapping) {
    this(database, mapping, NewEvents.NONE);
  }

  StoreDriver(DataSource database, TargetMapping mapping, NewEvents newEvents) {
    EventReader keys = KeyReader.recordKey();
    this.reader = mapping.rules().tombstone().deletes() ? Tombstones.deleting(keys) : keys;
    this.store =
        new PostgresEventStore(
            database,
            new StoreSettings(
                mapping, Timeouts.DEFAULT, OptionalInt.empty(), 1, OptionalInt.empty()),
            newEvents);
  }

  static TargetMapping mapping(String table, Map<String, String> columns) {
    List<ColumnMapping> mappings = new ArrayList<>();
    columns.forEach((column, source) -> mappings.add(ColumnMapping.parse(column, source)));
    return new TargetMapping("ingest.target.", table, List.of(), mappings);
  }

  /** The next event of the partition. */
  Event event(String key, @Nullable String json, Header... headers) {
    return new Event(
        new TopicPartition("t", 0),
        nextOffset++,
        1_517_363_399_650L,
        key.getBytes(UTF_8),
        json == null ? null : json.getBytes(UTF_8),
        List.of(headers));
  }

  int budget() {
    return store.budget().advisoryLocks();
  }

  Sums write(List<Event> events) {
    return write(LockScheme.perKey(), events);
  }

  Sums write(LockScheme locks, List<Event> events) {
    Batch batch = Batch.of(events, locks, reader, store);
    List<RejectedEvent> parked = new ArrayList<>();
    int inserted = 0;
    int duplicates = 0;
    int deleted = 0;
    while (batch.hasNext()) {
      batch.decide(batch.head().parking(batch.refused()));
      Chunk chunk = batch.head(store.budget().advisoryLocks());
      WriteOutcome outcome = store.write(chunk);
      if (outcome instanceof WriteOutcome.Rejected rejected) {
        batch.refuse(rejected.events());
      } else {
        WriteOutcome.Applied applied = (WriteOutcome.Applied) outcome;
        inserted += applied.inserted();
        duplicates += applied.duplicates();
        deleted += applied.deleted();
        parked.addAll(chunk.parked());
        batch.advance();
      }
    }
    return new Sums(inserted, duplicates, parked, deleted);
  }
}
