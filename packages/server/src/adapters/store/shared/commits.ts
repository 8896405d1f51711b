import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Queries } from './queries.ts';
import type { Sql } from './sql.ts';

const LIST_COMMITS: Sql<{ version: string; source_commit: string }> =
  `SELECT version, source_commit FROM versions
  WHERE tenant = $1 AND layer = $2 AND id = $3 AND source_commit IS NOT NULL`;

export async function listCommits(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  id: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await queries.rows(LIST_COMMITS, tenant, layer, id);
  return new Map(rows.map(({ version, source_commit }) => [version, source_commit]));
}
