-- Key of the cases that a version is checked with, which other versions may share; NULL: none.
ALTER TABLE templates ADD COLUMN checks_blob TEXT;

CREATE INDEX templates_by_checks ON templates (account, checks_blob);
