import {
  listPlainTables,
  PLAIN_TABLES,
  storedName,
  type Engine,
  type PlainTable,
} from '@catalog/core/ports/plain-tables';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Queries } from './queries.ts';

/** Deletes all rows of a tenant from the plain tables, referencing rows first. */
export async function purgePlainRows(
  queries: Queries,
  engine: Engine,
  tenant: Tenant,
  layer: number,
): Promise<void> {
  for (const name of listPlainTables().toReversed()) {
    const sql = deleteOfLayer(name, engine);
    if (sql !== undefined) await queries.run(sql, tenant, layer);
  }
}

function deleteOfLayer(name: PlainTable, engine: Engine): string | undefined {
  const { scope } = PLAIN_TABLES[name];
  if (scope.of !== 'layer' || scope.purge === 'keep') return undefined;
  const layer =
    scope.holds === 'number'
      ? '$2'
      : '(SELECT id FROM layer_numbers WHERE tenant = $1 AND number = $2)';
  return `DELETE FROM ${storedName(name, engine)} WHERE tenant = $1 AND ${scope.column} = ${layer}`;
}
