-- The customers of a hosted service. Where a service is not hosted the table is empty and nobody looks at it.
CREATE TABLE accounts (
  name TEXT PRIMARY KEY NOT NULL,
  monthly_credits BIGINT, -- NULL: as many as wanted
  created_at BIGINT NOT NULL, -- UTC seconds
  closed_at BIGINT -- UTC seconds; its tokens are refused from then on
);
