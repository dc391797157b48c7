-- The credits of renders whose outcome is not recorded yet. A row that outlives its time belongs to a process that has died: its
-- credits are refunded.
CREATE TABLE open_charges (
  account TEXT NOT NULL,
  id TEXT NOT NULL, -- random
  month TEXT NOT NULL, -- 2026-11, in UTC
  credits BIGINT NOT NULL,
  expires_at BIGINT NOT NULL, -- UTC seconds
  PRIMARY KEY (account, id)
);

CREATE INDEX open_charges_expired ON open_charges (expires_at);
