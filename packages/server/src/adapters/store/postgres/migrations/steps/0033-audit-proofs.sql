-- The tree over the records, as JSON; empty before the first record. Null while programs of the former
-- release append records. Before the table audit, because programs lock the tenant first.
ALTER TABLE tenants ADD COLUMN audit_tree text COLLATE "C";

-- SHA-256 of the record as a leaf of the tenant's Merkle tree; null in records of the former release.
ALTER TABLE audit ADD COLUMN leaf_hash text COLLATE "C";

-- Personal values that the commitments of a record cover, one row per user. Erased values are null,
-- and the subject is then a pseudonym.
CREATE TABLE audit_values (
  tenant int NOT NULL,
  position bigint NOT NULL,
  person text COLLATE "C" NOT NULL,
  place int NOT NULL,
  subject text COLLATE "C" NOT NULL,
  salt text,
  fields json,
  PRIMARY KEY (tenant, position, person, place)
);
CREATE INDEX audit_values_subject ON audit_values (tenant, subject);

ALTER TABLE audit_values ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_values FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_values TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON audit_values TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON audit_values TO catalog_program;
GRANT SELECT, INSERT, UPDATE, DELETE ON audit_values TO catalog_keeper;

CREATE FUNCTION redact_audit_values(of_tenant int, users text[], pseudonym text, max_rows int)
  RETURNS int LANGUAGE sql AS $$
  WITH redacted AS (
    UPDATE audit_values v SET subject = pseudonym, salt = NULL, fields = NULL
    FROM (SELECT position, person, place FROM audit_values
      WHERE tenant = of_tenant AND of_tenant = current_setting('catalog.tenant')::int
        AND subject = ANY (users) AND salt IS NOT NULL LIMIT max_rows) found
    WHERE v.tenant = of_tenant AND v.position = found.position AND v.person = found.person
      AND v.place = found.place
    RETURNING 1)
  SELECT count(*)::int FROM redacted $$;

ALTER FUNCTION redact_audit_values(int, text[], text, int) SECURITY DEFINER;
ALTER FUNCTION redact_audit_values(int, text[], text, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION redact_audit_values(int, text[], text, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION redact_audit_values(int, text[], text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redact_audit_values(int, text[], text, int) TO catalog_program;
