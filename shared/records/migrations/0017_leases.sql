-- Tasks that one process of a service does for all: who has each until when, and where it goes on.
CREATE TABLE leases (
  name TEXT PRIMARY KEY NOT NULL,
  holder TEXT NOT NULL, -- '': free
  expires_at BIGINT NOT NULL, -- UTC seconds
  state TEXT NOT NULL -- what the next holder needs to know
);
