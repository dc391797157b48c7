-- Whether a file still has a row: asked by the sweep for every file that is old enough.
CREATE INDEX templates_by_blob ON templates (account, blob);

CREATE INDEX templates_by_sample ON templates (account, sample_blob);

CREATE INDEX renders_by_blob ON renders (blob);
