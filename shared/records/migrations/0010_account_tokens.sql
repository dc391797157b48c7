-- Tokens that were handed out, to be listed and ended. A good token of an account that is not listed here is good too.
CREATE TABLE account_tokens (
  account TEXT NOT NULL,
  token TEXT NOT NULL, -- SHA-256 of what its signature covers, lower-case hex, as in revoked_tokens
  kind TEXT NOT NULL, -- test or production
  label TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL, -- UTC seconds
  expires_at BIGINT NOT NULL, -- UTC seconds
  ends_at BIGINT, -- UTC seconds; refused from then on though it has not expired
  PRIMARY KEY (account, token)
);
