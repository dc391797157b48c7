-- The day on which a template without versioning was last used, in days since 1970 (UTC); 0: not known.
ALTER TABLE templates ADD COLUMN used_day BIGINT NOT NULL DEFAULT 0;

-- What the sweep looks for; templates with versions do not stand in it.
CREATE INDEX templates_by_use ON templates (used_day) WHERE template_id IS NULL;
