-- One row a template version. Times are UTC seconds; 0 means "never" for expire_at and "not deployed" for deployed_at.
CREATE TABLE templates (
  account TEXT NOT NULL,
  version_id TEXT NOT NULL,
  template_id TEXT,
  content_hash TEXT NOT NULL,
  blob TEXT NOT NULL,
  sample_blob TEXT,
  format TEXT NOT NULL,
  size BIGINT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  name_folded TEXT NOT NULL DEFAULT '',
  comment TEXT NOT NULL DEFAULT '',
  category TEXT NOT NULL DEFAULT '',
  tags TEXT NOT NULL DEFAULT '[]',
  origin INTEGER NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  deployed_at BIGINT NOT NULL,
  deploy_order BIGINT NOT NULL,
  expire_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (account, version_id)
);

-- The deployed version of a Template ID is one step into this index, however many versions there are. expire_at stands
-- in it so that lists, which ask this for each row, need not look into the table.
CREATE INDEX templates_by_template
  ON templates (account, template_id, deployed_at DESC, deploy_order DESC, expire_at);

-- The order of lists.
CREATE INDEX templates_listed ON templates (account, deployed_at DESC, version_id);

CREATE INDEX templates_by_expiry ON templates (expire_at);

CREATE TABLE template_tags (
  account TEXT NOT NULL,
  version_id TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (account, version_id, tag)
);
