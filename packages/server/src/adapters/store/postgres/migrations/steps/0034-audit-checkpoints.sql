-- The last signed checkpoint of each tenant. The object store contains all of them.
CREATE TABLE audit_checkpoints (
  tenant int PRIMARY KEY,
  origin text COLLATE "C" NOT NULL,
  first bigint NOT NULL,
  size bigint NOT NULL,
  nodes json NOT NULL,
  position bigint NOT NULL,
  number bigint NOT NULL,
  note text NOT NULL
) WITH (fillfactor = 50);
ALTER TABLE audit_checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_checkpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_checkpoints TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON audit_checkpoints TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON audit_checkpoints TO catalog_program, catalog_keeper;

-- Trees of all tenants, because one process signs for all of them. Returns hashes, but no record.
CREATE FUNCTION audit_changes(after_tenant int, max_rows int, max_leaves int)
  RETURNS TABLE (tenant int, audit_position bigint, audit_tree text, checkpoint json, leaves text)
  LANGUAGE sql STABLE AS $$
  SELECT t.tenant, t.audit_position, t.audit_tree, CASE WHEN c.tenant IS NOT NULL THEN to_json(c) END,
    (SELECT string_agg(coalesce(a.leaf_hash, ''), ' ' ORDER BY a.position) FROM audit a
      WHERE a.tenant = t.tenant AND a.position > s.start AND a.position <= s.start + max_leaves)
  FROM tenants t
  LEFT JOIN audit_checkpoints c ON c.tenant = t.tenant
  CROSS JOIN LATERAL (SELECT CASE WHEN c.origin = t.audit_tree::json ->> 'origin' THEN c.position
    ELSE (t.audit_tree::json ->> 'first')::bigint - 1 END AS start) s
  WHERE t.tenant > after_tenant AND t.audit_tree <> ''
    AND t.audit_position IS DISTINCT FROM c.position
  ORDER BY t.tenant LIMIT max_rows $$;

ALTER FUNCTION audit_changes(int, int, int) SECURITY DEFINER;
ALTER FUNCTION audit_changes(int, int, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION audit_changes(int, int, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION audit_changes(int, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_changes(int, int, int) TO catalog_program;

-- Where a new leader continues, for all tenants.
CREATE FUNCTION last_checkpoint_number() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(max(number), 0) FROM audit_checkpoints $$;

ALTER FUNCTION last_checkpoint_number() SECURITY DEFINER;
ALTER FUNCTION last_checkpoint_number() SET search_path = catalog, pg_temp;
ALTER FUNCTION last_checkpoint_number() OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION last_checkpoint_number() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION last_checkpoint_number() TO catalog_program;

-- Checkpoints of all tenants that one round signed.
CREATE FUNCTION put_audit_checkpoints(given json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_checkpoints (tenant, origin, first, size, nodes, position, number, note)
  SELECT tenant, origin, first, size, nodes, position, number, note
  FROM json_to_recordset(given) AS r (tenant int, origin text, first bigint, size bigint, nodes json,
    position bigint, number bigint, note text)
  ON CONFLICT (tenant) DO UPDATE SET origin = excluded.origin, first = excluded.first,
    size = excluded.size, nodes = excluded.nodes, position = excluded.position,
    number = excluded.number, note = excluded.note $$;

ALTER FUNCTION put_audit_checkpoints(json) SECURITY DEFINER;
ALTER FUNCTION put_audit_checkpoints(json) SET search_path = catalog, pg_temp;
ALTER FUNCTION put_audit_checkpoints(json) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION put_audit_checkpoints(json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION put_audit_checkpoints(json) TO catalog_program;
