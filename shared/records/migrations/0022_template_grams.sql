-- The index of a search: for each name of an account its sequences of three characters, and the last two and the last one.
-- Rows of templates from before have 0 in name_indexed until the cleanup has added their names, some at a time.
CREATE TABLE template_grams (
  account TEXT NOT NULL,
  gram TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (account, gram, name)
) WITHOUT ROWID;

ALTER TABLE templates ADD COLUMN name_indexed INTEGER NOT NULL DEFAULT 0;

CREATE INDEX templates_unindexed ON templates (account, version_id) WHERE name_indexed = 0;

CREATE INDEX templates_names ON templates (account, name_folded, deployed, version_id);

-- With version_id SQLite prefers this index to that of all deployed versions of the account, which each upload had read.
DROP INDEX templates_deployed_of;

CREATE INDEX templates_deployed_of ON templates (account, template_id, version_id) WHERE deployed = 1;
