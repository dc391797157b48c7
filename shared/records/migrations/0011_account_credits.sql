-- What an account has used of its credits, a row a month.
CREATE TABLE account_credits (
  account TEXT NOT NULL,
  month TEXT NOT NULL, -- 2026-11, in UTC
  used BIGINT NOT NULL,
  PRIMARY KEY (account, month)
);
