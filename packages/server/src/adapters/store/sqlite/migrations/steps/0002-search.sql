
CREATE TABLE search_layers (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  next_number INTEGER NOT NULL,
  PRIMARY KEY (tenant, layer)
) STRICT, WITHOUT ROWID;

CREATE TABLE search_documents (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (tenant, layer, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX search_documents_id ON search_documents (tenant, layer, id);

-- Every term and filter a document stands under, to take it out again; JSON. Apart from the ids, so
-- that those lie close together.
CREATE TABLE search_terms (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  number INTEGER NOT NULL,
  terms TEXT NOT NULL,
  PRIMARY KEY (tenant, layer, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE search_postings (
  tenant INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  term TEXT NOT NULL,
  stretch INTEGER NOT NULL,
  postings BLOB NOT NULL,
  PRIMARY KEY (tenant, layer, term, stretch)
) STRICT, WITHOUT ROWID;
