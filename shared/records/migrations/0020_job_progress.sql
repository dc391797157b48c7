-- How far the batch of an asynchronous render is, in documents. NULL: the job is no batch, or none of it has been made yet.
ALTER TABLE jobs ADD COLUMN items_total BIGINT;

ALTER TABLE jobs ADD COLUMN items_done BIGINT;

ALTER TABLE jobs ADD COLUMN items_failed BIGINT;
