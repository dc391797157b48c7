-- The last call of the webhook of an asynchronous render. A webhook stays in the row for the day after the end, so that
-- the call can be repeated.
ALTER TABLE jobs ADD COLUMN webhook_delivered INTEGER; -- 0 or 1; NULL: not called

ALTER TABLE jobs ADD COLUMN webhook_status TEXT NOT NULL DEFAULT ''; -- of HTTP, or the code of an error

ALTER TABLE jobs ADD COLUMN webhook_called_at BIGINT; -- UTC seconds

CREATE INDEX jobs_listed ON jobs (account, created_at DESC, id);
