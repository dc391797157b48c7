-- Where a job stands in the line, so that accounts take turns: jobs start in the order of `turn`, which counts the work
-- that stood before it in the line of its account (start-time fair queueing).
ALTER TABLE queue_jobs ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;

-- How much work it is, compared with a small document.
ALTER TABLE queue_jobs ADD COLUMN weight BIGINT NOT NULL DEFAULT 1;

CREATE INDEX queue_jobs_by_turn ON queue_jobs (turn, sent_at, id);

CREATE INDEX queue_jobs_by_account ON queue_jobs (account);

-- Jobs are looked for by their turn instead.
DROP INDEX queue_jobs_available;
