/**
 * Puts a table behind row-level security, also for its owner: the program sees the rows of the tenant
 * it named and no others, and none at all, with an error, when it named none. The keeper sees every
 * row: it owns the functions that ask across tenants, and is whom backups run as.
 */
export function tenantTable(name: string): string {
  return `
ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${name} FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON ${name} TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON ${name} TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON ${name} TO catalog_program, catalog_keeper;
`;
}

/**
 * Gives a function the keeper's eyes. It must take its tenant from `catalog.tenant` alone, or say why
 * it asks across tenants. `signature` is its name with the types of its arguments.
 */
export function keeperFunction(signature: string): string {
  return `
ALTER FUNCTION ${signature} SECURITY DEFINER;
ALTER FUNCTION ${signature} SET search_path = catalog, pg_temp;
ALTER FUNCTION ${signature} OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ${signature} TO catalog_program;
`;
}
