import type { DirectoryStanding } from '@catalog/core/ports/directory';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Reads } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';

export const STANDING: Sql<StandingRow> = `WITH found AS MATERIALIZED (
    SELECT id, active FROM directory_resources
      WHERE tenant = $1 AND kind = 'User' AND name_key = ANY ($2)
    UNION SELECT id, active FROM directory_resources
      WHERE tenant = $1 AND kind = 'User' AND external_id = $3)
  SELECT (SELECT bool_and(active) FROM found) AS active,
    ARRAY(SELECT DISTINCT g.name FROM found f
      JOIN directory_members m ON m.tenant = $1 AND m.user_id = f.id
      JOIN directory_resources g ON g.tenant = $1 AND g.kind = 'Group' AND g.id = m.group_id
      ORDER BY g.name) AS groups,
    EXISTS (SELECT 1 FROM directory_given_up WHERE tenant = $1 AND kind = 'name_key' AND name = ANY ($2))
    OR EXISTS (SELECT 1 FROM directory_given_up
      WHERE tenant = $1 AND kind = 'external_id' AND name = $3) AS given_up`;

interface StandingRow {
  active: boolean | null;
  groups: string[];
  given_up: boolean;
}

export async function getStanding(
  { run }: Reads,
  tenant: Tenant,
  names: readonly string[],
  external_id: string,
): Promise<DirectoryStanding> {
  const row = await run(tenant, (queries) => queries.row(STANDING, tenant, names, external_id));
  if (row?.active === true) return { state: 'active', groups: row.groups };
  const isInactive = row?.active === false || row?.given_up === true;
  return { state: isInactive ? 'inactive' : 'unknown', groups: [] };
}
