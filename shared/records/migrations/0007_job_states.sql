-- How far an asynchronous render has come. A job that has ended stays for a day without blob and key, to be asked for.
ALTER TABLE jobs ADD COLUMN state TEXT NOT NULL DEFAULT 'queued';

ALTER TABLE jobs ADD COLUMN ended_at BIGINT; -- UTC seconds
