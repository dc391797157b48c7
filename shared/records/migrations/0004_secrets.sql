-- Random values that all processes of one service share: made by whichever starts first.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL -- lower-case hex
);
