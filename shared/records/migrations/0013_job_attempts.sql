-- What brings an asynchronous render to its end whatever stops in between; see shared/services/job-states.ts.
-- How often its work began without an end that somebody saw.
ALTER TABLE jobs ADD COLUMN starts INTEGER NOT NULL DEFAULT 0;

-- Who has it in hand; empty: nobody.
ALTER TABLE jobs ADD COLUMN worker TEXT NOT NULL DEFAULT '';

-- UTC seconds: until then it is in somebody's hands or waits on purpose, later it is overdue.
ALTER TABLE jobs ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;

-- Where its end is told, JSON; empty once it has ended, and in rows from before, whose file says it.
ALTER TABLE jobs ADD COLUMN webhook TEXT NOT NULL DEFAULT '';

-- Credits that were taken for it, and in which month; given back when it fails.
ALTER TABLE jobs ADD COLUMN credits BIGINT NOT NULL DEFAULT 0;

ALTER TABLE jobs ADD COLUMN credits_month TEXT NOT NULL DEFAULT '';

-- What the reconciler looks for.
CREATE INDEX jobs_overdue ON jobs (due_at) WHERE ended_at IS NULL;
