-- Records that were gone from a topic before the group had read them, and that somebody accepted.

CREATE TABLE ingest.gap (
  group_id    text        NOT NULL,
  topic       text        NOT NULL,
  partition   integer     NOT NULL,
  next_offset bigint      NOT NULL,
  log_start   bigint      NOT NULL,
  log_end     bigint      NOT NULL,
  accepted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (group_id, topic, partition, next_offset, log_start)
);

COMMENT ON TABLE ingest.gap IS 'Gaps that were accepted with --accept-gap: offsets from next_offset, inclusive, to log_start, exclusive, were gone unread. Where next_offset is not below log_start, the topic was made again or cut short.';
