-- Calls with an Idempotency-Key, and their answers, which other calls with the key get.
CREATE TABLE idempotency_keys (
  account TEXT NOT NULL,
  key TEXT NOT NULL, -- SHA-256 of the operation and of the key that the caller sent
  holder TEXT NOT NULL, -- random id of the call that runs; '': it has ended
  held_until BIGINT NOT NULL, -- UTC seconds; afterwards another call may run
  fingerprint TEXT NOT NULL, -- SHA-256 of the request; '' while it runs
  answer TEXT NOT NULL, -- JSON: status, headers and text; '' while it runs
  blob TEXT NOT NULL, -- key of the encrypted body, where it is a file; ''
  size BIGINT NOT NULL, -- bytes of the body, where it is a file; 0
  secret TEXT NOT NULL, -- decrypts the body, hex; ''
  expires_at BIGINT NOT NULL, -- UTC seconds
  PRIMARY KEY (account, key)
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
CREATE INDEX idempotency_keys_blobs ON idempotency_keys (account, blob);
-- Adds up the files of an account without reading the rows.
CREATE INDEX idempotency_keys_sizes ON idempotency_keys (account, size) WHERE size > 0;
