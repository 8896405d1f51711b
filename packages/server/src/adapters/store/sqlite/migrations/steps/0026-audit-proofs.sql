-- SHA-256 of the record as a leaf of the tenant's Merkle tree; null in records of earlier releases.
ALTER TABLE audit ADD COLUMN leaf_hash TEXT;

CREATE INDEX audit_unsealed ON audit (tenant) WHERE leaf_hash IS NULL;

-- The tree over the records, as JSON; empty before the first record.
ALTER TABLE tenants ADD COLUMN audit_tree TEXT DEFAULT '';

-- Personal values that the commitments of a record cover, one row per user. Erased values are null,
-- and the subject is then a pseudonym.
CREATE TABLE audit_values (
  tenant INTEGER NOT NULL,
  position INTEGER NOT NULL,
  person TEXT NOT NULL,
  place INTEGER NOT NULL,
  subject TEXT NOT NULL,
  salt TEXT,
  fields TEXT,
  PRIMARY KEY (tenant, position, person, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_values_subject ON audit_values (tenant, subject);
