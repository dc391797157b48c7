-- One row an asynchronous render. The request lies encrypted in a file; `key` opens it and goes with the row.
CREATE TABLE jobs (
  account TEXT NOT NULL,
  id TEXT NOT NULL,
  blob TEXT NOT NULL,
  key TEXT NOT NULL,
  notice TEXT, -- what the webhook is told, once the render has ended
  created_at BIGINT NOT NULL, -- UTC seconds
  PRIMARY KEY (account, id)
);

CREATE INDEX jobs_by_age ON jobs (created_at);
