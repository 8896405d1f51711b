
CREATE TABLE search_words (
  tenant INTEGER NOT NULL,
  term TEXT NOT NULL,
  PRIMARY KEY (tenant, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE search_trigrams (
  tenant INTEGER NOT NULL,
  trigram TEXT NOT NULL,
  term TEXT NOT NULL,
  PRIMARY KEY (tenant, trigram, term)
) STRICT, WITHOUT ROWID;

CREATE INDEX domain_postings_term ON domain_postings (tenant, term);

-- How terms are made where that has ever changed: JSON of every kind that documents may still have, the
-- new one last, and how far that is.
CREATE TABLE search_indexing (
  tenant INTEGER PRIMARY KEY,
  kinds TEXT NOT NULL,
  layer INTEGER NOT NULL,
  id TEXT NOT NULL
) STRICT;

-- What is there already, as core/search/near-words takes it.
INSERT INTO search_words (tenant, term)
  SELECT tenant, term FROM
    (SELECT tenant, term FROM search_postings UNION SELECT tenant, term FROM domain_postings)
  WHERE length(term) BETWEEN 3 AND 32 AND term NOT GLOB '*[0-9:]*';
INSERT OR IGNORE INTO search_trigrams (tenant, trigram, term)
  SELECT w.tenant, substr(' ' || w.term || ' ', place.value, 3), w.term
  FROM search_words w CROSS JOIN json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]') place WHERE place.value <= length(w.term);
