
CREATE TABLE restores (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  source TEXT NOT NULL,
  done TEXT NOT NULL
) STRICT;
