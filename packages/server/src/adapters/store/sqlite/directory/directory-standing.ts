import type { DirectoryStanding } from '@catalog/core/ports/directory';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Queries, Reads } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';

/** The hint is needed because SQLite without statistics scans all resources of a kind. */
export const BY_EXTERNAL_ID =
  'directory_resources INDEXED BY directory_external_ids WHERE tenant = $1';
/** A sub-select instead of a join, with which SQLite would scan all users in id order. */
export const STANDING_BY_NAME: Sql<StandingRow> = `SELECT id, active FROM directory_resources
  WHERE tenant = $1 AND kind = 'User' AND name_key = $2`;
export const STANDING_BY_EXTERNAL_ID: Sql<StandingRow> = `SELECT id, active FROM ${BY_EXTERNAL_ID}
  AND kind = 'User' AND external_id = $2`;
export const STANDING_GROUPS: Sql<{ name: string }> =
  `SELECT g.name FROM directory_members m CROSS JOIN directory_resources g
    ON g.tenant = m.tenant AND g.kind = 'Group' AND g.id = m.group_id
  WHERE m.tenant = $1 AND m.user_id = $2`;
export const IS_GIVEN_UP =
  'SELECT 1 FROM directory_given_up WHERE tenant = $1 AND kind = $2 AND name = $3';

interface StandingRow {
  id: string;
  active: number;
}

export function getStanding(
  { together }: Reads,
  tenant: Tenant,
  names: readonly string[],
  external_id: string,
): Promise<DirectoryStanding> {
  return together(tenant, (queries) => lookUp(queries, tenant, names, external_id));
}

async function lookUp(
  queries: Queries,
  tenant: Tenant,
  names: readonly string[],
  external_id: string,
): Promise<DirectoryStanding> {
  const found: StandingRow[] = [];
  for (const name of names) {
    found.push(...(await queries.rows(STANDING_BY_NAME, tenant, name)));
  }
  found.push(...(await queries.rows(STANDING_BY_EXTERNAL_ID, tenant, external_id)));
  if (found.length === 0) {
    const isInactive = await isGivenUp(queries, tenant, names, external_id);
    return { state: isInactive ? 'inactive' : 'unknown', groups: [] };
  }
  if (found.some(({ active }) => active === 0)) return { state: 'inactive', groups: [] };
  const groups = new Set<string>();
  for (const id of new Set(found.map((user) => user.id))) {
    const rows = await queries.rows(STANDING_GROUPS, tenant, id);
    for (const { name } of rows) groups.add(name);
  }
  return { state: 'active', groups: [...groups].toSorted() };
}

async function isGivenUp(
  queries: Queries,
  tenant: Tenant,
  names: readonly string[],
  external_id: string,
): Promise<boolean> {
  const keys = [
    ['external_id', external_id],
    ...names.map((name) => ['name_key', name] as const),
  ] as const;
  for (const [kind, name] of keys) {
    if ((await queries.row(IS_GIVEN_UP, tenant, kind, name)) !== undefined) return true;
  }
  return false;
}
