package dev.ingest.postgres;

import org.junit.jupiter.api.BeforeAll;

/**
 * The same contract where no unique index is on the key and each offset may be in another
 * partition: locks alone keep keys apart (I2).
 */
class PartitionedEventStoreIT extends PostgresEventStoreIT {
  @BeforeAll
  static void divideTheTable() {
    POSTGRES
        .database()
        .execute(
            """
            ALTER TABLE ingest.event RENAME TO whole;
            CREATE TABLE ingest.event (LIKE ingest.whole INCLUDING DEFAULTS) PARTITION BY HASH (record_offset);
            CREATE TABLE ingest.event_0 PARTITION OF ingest.event FOR VALUES WITH (MODULUS 3, REMAINDER 0);
            CREATE TABLE ingest.event_1 PARTITION OF ingest.event FOR VALUES WITH (MODULUS 3, REMAINDER 1);
            CREATE TABLE ingest.event_2 PARTITION OF ingest.event FOR VALUES WITH (MODULUS 3, REMAINDER 2);
            CREATE INDEX ON ingest.event (business_key);
            """);
  }

  @Override
  protected boolean storesWithoutLocks() {
    return false;
  }
}
