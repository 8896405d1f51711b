
-- What the registry deletes or renames in tables that it can otherwise only read and append to, after
-- `catalog admin migrate --contract`. Each function works in the selected tenant only.

-- Versions of a layer that is being purged.
CREATE FUNCTION purge_versions(of_tenant int, of_layer int, ids text[], gone text[])
  RETURNS void LANGUAGE sql AS $$
  DELETE FROM versions v USING unnest(ids, gone) AS g (id, version)
  WHERE v.tenant = of_tenant AND of_tenant = current_setting('catalog.tenant')::int
    AND v.layer = of_layer AND v.id = g.id AND v.version = g.version $$;

ALTER FUNCTION purge_versions(int, int, text[], text[]) SECURITY DEFINER;
ALTER FUNCTION purge_versions(int, int, text[], text[]) SET search_path = catalog, pg_temp;
ALTER FUNCTION purge_versions(int, int, text[], text[]) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION purge_versions(int, int, text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_versions(int, int, text[], text[]) TO catalog_program;

-- The ledger of a layer whose id passes to another holder (ADR-0060). Its new id cannot be registered.
CREATE FUNCTION set_ledger_aside(of_tenant int, of_layer_id text, replaced_id text)
  RETURNS void LANGUAGE sql AS $$
  UPDATE version_ledger SET layer_id = replaced_id
  WHERE tenant = of_tenant AND of_tenant = current_setting('catalog.tenant')::int
    AND layer_id = of_layer_id AND starts_with(replaced_id, 'replaced ') $$;

ALTER FUNCTION set_ledger_aside(int, text, text) SECURITY DEFINER;
ALTER FUNCTION set_ledger_aside(int, text, text) SET search_path = catalog, pg_temp;
ALTER FUNCTION set_ledger_aside(int, text, text) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION set_ledger_aside(int, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_ledger_aside(int, text, text) TO catalog_program;
