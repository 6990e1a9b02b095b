-- The default target and the place for events that can't be stored.

CREATE TABLE ingest.event (
  business_key  text COLLATE "C" PRIMARY KEY,
  topic         text        NOT NULL,
  partition     integer     NOT NULL,
  record_offset bigint      NOT NULL,
  event_time    timestamptz,
  payload       jsonb,
  headers       jsonb,
  ingested_at   timestamptz NOT NULL DEFAULT now()
);

COMMENT ON TABLE ingest.event IS 'Events from Kafka, one row for each business key.';

-- The record's timestamp is part of the position: a topic that was deleted and made again
-- uses the same offsets for other records. An event that several routes take may be parked on each.
CREATE TABLE ingest.parked (
  topic            text        NOT NULL,
  partition        integer     NOT NULL,
  record_offset    bigint      NOT NULL,
  record_timestamp bigint      NOT NULL,
  route            text        NOT NULL DEFAULT 'default',
  record_key       bytea,
  record_value     bytea,
  header_names     bytea[]     NOT NULL DEFAULT '{}',
  header_values    bytea[]     NOT NULL DEFAULT '{}',
  record_size      bigint      NOT NULL,
  first_sqlstate   text,
  first_reason     text        NOT NULL,
  last_sqlstate    text,
  last_reason      text        NOT NULL,
  constraint_name  text,
  column_name      text,
  attempts         integer     NOT NULL DEFAULT 1,
  status           text        NOT NULL DEFAULT 'parked'
                   CHECK (status IN ('parked', 'stored', 'discarded')),
  first_parked_at  timestamptz NOT NULL DEFAULT now(),
  last_parked_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (topic, partition, record_offset, record_timestamp, route)
);

COMMENT ON TABLE ingest.parked IS 'Events that could not be stored, kept byte for byte with the reason.';
COMMENT ON COLUMN ingest.parked.record_value IS 'NULL for a tombstone, and where record_size is above the limit for one event: then the record stays in Kafka and this row refers to it.';
