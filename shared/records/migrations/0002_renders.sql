-- One row a stored render. claimed_at is set by the one download that may have the file. Times are UTC seconds.
CREATE TABLE renders (
  account TEXT NOT NULL,
  id TEXT NOT NULL PRIMARY KEY,
  blob TEXT NOT NULL,
  format TEXT NOT NULL,
  name TEXT NOT NULL,
  size BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expire_at BIGINT NOT NULL,
  claimed_at BIGINT
);

CREATE INDEX renders_by_expiry ON renders (expire_at);
