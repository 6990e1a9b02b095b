-- The work queue. Jobs are claimed from the left end of job_waiting and leave the table when they
-- are done, so neither finished jobs nor the dead entries of claimed ones stand before a claim.

CREATE TABLE ingest.job (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  queue        text COLLATE "C" NOT NULL CHECK (queue <> ''),
  priority     smallint         NOT NULL CHECK (priority BETWEEN 0 AND 2),
  status       text COLLATE "C" NOT NULL DEFAULT 'waiting'
               CHECK (status IN ('waiting', 'running', 'failed')),
  run_at       timestamptz      NOT NULL,
  attempts     integer          NOT NULL DEFAULT 0,
  max_attempts integer          NOT NULL CHECK (max_attempts > 0),
  lease_until  timestamptz,
  worker       text,
  job_key      text COLLATE "C",
  attributes   jsonb            NOT NULL DEFAULT '{}',
  payload      bytea,
  last_error   text,
  enqueued_at  timestamptz      NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX job_waiting ON ingest.job (queue, priority, run_at, id) WHERE status = 'waiting';
CREATE INDEX job_running ON ingest.job (lease_until) WHERE status = 'running';
CREATE INDEX job_failed ON ingest.job (queue, run_at) WHERE status = 'failed';
CREATE INDEX job_failed_key ON ingest.job (queue, job_key)
  WHERE job_key IS NOT NULL AND status = 'failed';
CREATE UNIQUE INDEX job_key ON ingest.job (queue, job_key)
  WHERE job_key IS NOT NULL AND status IN ('waiting', 'running');

COMMENT ON TABLE ingest.job IS 'Jobs that are waiting, running or failed.';
COMMENT ON COLUMN ingest.job.priority IS '0 before 1 before 2.';
COMMENT ON COLUMN ingest.job.run_at IS 'Waiting: not claimed before. Failed: when it failed for good.';
COMMENT ON COLUMN ingest.job.attempts IS 'Claims so far. With id the token of a claim: who holds an older one has lost the job.';
COMMENT ON COLUMN ingest.job.job_key IS 'At most one waiting or running job of a queue has this key.';

CREATE TABLE ingest.job_done (
  id          bigint           NOT NULL,
  queue       text COLLATE "C" NOT NULL,
  job_key     text COLLATE "C",
  outcome     text COLLATE "C" NOT NULL CHECK (outcome IN ('done', 'cancelled')),
  attempts    integer          NOT NULL,
  enqueued_at timestamptz      NOT NULL,
  finished_at timestamptz      NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX job_done_finished ON ingest.job_done (finished_at);

COMMENT ON TABLE ingest.job_done IS 'Jobs that are over, until they are purged.';

-- Parked events that may be tried again, by what refused them.
CREATE INDEX parked_waiting ON ingest.parked (last_sqlstate, last_parked_at) WHERE status = 'parked';
