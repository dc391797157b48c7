-- Tokens that are refused before their time. A row goes when its token has expired.
CREATE TABLE revoked_tokens (
  account TEXT NOT NULL,
  token TEXT NOT NULL, -- SHA-256 of what its signature covers, lower-case hex
  expires_at BIGINT NOT NULL, -- UTC seconds
  PRIMARY KEY (account, token)
);

CREATE INDEX revoked_tokens_by_age ON revoked_tokens (expires_at);
