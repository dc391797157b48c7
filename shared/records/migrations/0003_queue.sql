-- Asynchronous renders waiting to run, where no queue service does it. A job is handed out by moving `available_at`
-- behind the end of its lease: when its worker dies, it becomes available again by itself.
CREATE TABLE queue_jobs (
  id TEXT PRIMARY KEY NOT NULL,
  account TEXT NOT NULL,
  kind TEXT NOT NULL,
  attempt INTEGER NOT NULL, -- how often it was handed out
  available_at BIGINT NOT NULL, -- ms since the epoch; not before
  lease TEXT, -- who has it in hand
  sent_at BIGINT NOT NULL -- ms since the epoch
);

CREATE INDEX queue_jobs_available ON queue_jobs (available_at, sent_at, id);
