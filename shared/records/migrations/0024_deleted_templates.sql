-- A deleted template has the time of its deletion in expire_at as a negative number, which has passed for every clock.
DROP INDEX templates_deployed_expiring;

CREATE INDEX templates_deployed_expiring ON templates (account, expire_at) WHERE deployed = 1 AND expire_at <> 0;
