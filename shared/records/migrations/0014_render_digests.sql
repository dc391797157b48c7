-- SHA-256 of a stored render, lower-case hex, against which it is checked when it is read; empty: not known.
ALTER TABLE renders ADD COLUMN digest TEXT NOT NULL DEFAULT '';
