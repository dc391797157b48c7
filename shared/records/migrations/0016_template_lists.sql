-- What lists need at hand, kept when a template is written: whether a version is the deployed one of its template, and
-- which trigrams its name has. A deployed version whose expire_at has passed gives way to another one when the templates
-- of its account are listed next.
ALTER TABLE templates ADD COLUMN deployed INTEGER NOT NULL DEFAULT 0;

ALTER TABLE template_tags ADD COLUMN deployed INTEGER NOT NULL DEFAULT 0;

-- Five sets of 50 bits, one bit for the hash of each trigram of name_folded. Rows from before have all of them.
ALTER TABLE templates ADD COLUMN name_bits_0 BIGINT NOT NULL DEFAULT 1125899906842623;

ALTER TABLE templates ADD COLUMN name_bits_1 BIGINT NOT NULL DEFAULT 1125899906842623;

ALTER TABLE templates ADD COLUMN name_bits_2 BIGINT NOT NULL DEFAULT 1125899906842623;

ALTER TABLE templates ADD COLUMN name_bits_3 BIGINT NOT NULL DEFAULT 1125899906842623;

ALTER TABLE templates ADD COLUMN name_bits_4 BIGINT NOT NULL DEFAULT 1125899906842623;

-- PostgreSQL indexes entries of at most 2,704 bytes.
UPDATE templates SET name_folded = substr(name_folded, 1, 300) WHERE length(name_folded) > 300;

UPDATE templates SET deployed = 1 WHERE deployed_at > 0 AND NOT EXISTS (SELECT 1 FROM templates o
  WHERE o.account = templates.account AND o.template_id = templates.template_id
    AND (o.deployed_at, o.deploy_order) > (templates.deployed_at, templates.deploy_order));

UPDATE template_tags SET deployed = 1 WHERE EXISTS (SELECT 1 FROM templates t
  WHERE t.account = template_tags.account AND t.version_id = template_tags.version_id AND t.deployed = 1);

-- Lists of deployed versions read nothing but this index until they know which rows they return.
CREATE INDEX templates_deployed ON templates (account, deployed_at DESC, version_id, expire_at, template_id, category, origin,
  name_bits_0, name_bits_1, name_bits_2, name_bits_3, name_bits_4, name_folded) WHERE deployed = 1;

CREATE INDEX templates_deployed_expiring ON templates (account, expire_at) WHERE deployed = 1 AND expire_at > 0;

CREATE INDEX templates_deployed_of ON templates (account, template_id) WHERE deployed = 1;

CREATE INDEX templates_categories ON templates (account, category) WHERE deployed = 1;

CREATE INDEX template_tags_deployed ON template_tags (account, tag) WHERE deployed = 1;

-- The same for lists of all versions.
DROP INDEX templates_listed;

CREATE INDEX templates_versions ON templates (account, deployed_at DESC, version_id, expire_at, template_id, category, origin,
  name_bits_0, name_bits_1, name_bits_2, name_bits_3, name_bits_4, name_folded);

CREATE INDEX templates_versions_of ON templates (account, template_id, deployed_at DESC, version_id, expire_at);
