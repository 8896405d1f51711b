import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { ExtendingVersion, StoredExtends } from '@catalog/core/ports/versions';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Queries } from './queries.ts';
import type { Sql } from './sql.ts';
import { readJson } from './table.ts';

interface ExtendingRow {
  layer: LayerNumber;
  id: string;
  version: string;
  extends: StoredExtends | string;
}

const LIST_EXTENDING: Sql<ExtendingRow> = `SELECT layer, id, version, extends FROM versions
  WHERE tenant = $1 AND extends ->> 'id' = ANY ($2) ORDER BY layer, id, version`;

/** Reads every version of the tenant with a parent: only a purge needs this. */
export async function listExtending(
  queries: Queries,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ExtendingVersion[]> {
  const rows = await queries.rows(LIST_EXTENDING, tenant, ids);
  return rows.map(({ extends: parent, ...version }) => ({ ...version, parent: readJson(parent) }));
}
