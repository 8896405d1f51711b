import type { CountChange, CountChanges } from '@catalog/core/domain/count-changes';
import type { Holder } from '@catalog/core/domain/head-sharing';
import { recountHeads, type MapChange } from '@catalog/core/domain/recount-heads';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { parentPath } from '@catalog/core/text/slash-path';
import type { Connection } from '../connection/connection.ts';
import { listSharings, storeSharings, writeHolders } from './sharings.ts';

/** SQL condition for a table `h`: the head is listed, so it is neither deprecated nor found only by its id. */
export const ON_MAP = `(h.deprecated = 0 AND h.search_visibility = 'indexed')`;

/**
 * Updates the domain tables for some ids, without the heads in `removed`. Changes of counts are collected and written
 * once.
 */
export function recountIds(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  ids: readonly string[],
  removed: ReadonlySet<string>,
  counts: CountChanges,
): MapChange {
  const holders = listHolders(connection, tenant, ids);
  const sharings = listSharings(connection, tenant, ids);
  const isMember = connection.statement(
    'SELECT 1 FROM domain_members WHERE tenant = ? AND layer = ? AND domain = ? AND id = ?',
  );
  const counted = ids.map((id) => ({
    id,
    holders: holders.get(id) ?? [],
    counted: isMember.get(tenant, layer, parentPath(id), id) !== undefined,
    shared: sharings.get(id),
  }));
  const change = recountHeads(layer, counted, removed, counts, writeHolders);
  storeMembers(connection, tenant, layer, change);
  storeSharings(connection, tenant, change.sharings);
  return change;
}

function listHolders(
  connection: Connection,
  tenant: Tenant,
  ids: readonly string[],
): ReadonlyMap<string, Holder[]> {
  const rows = connection
    .statement<{ id: string; layer: LayerNumber; on_map: number }>(
      `SELECT h.id, h.layer, ${ON_MAP} AS on_map
       FROM json_each(?2) named CROSS JOIN heads h ON h.tenant = ?1 AND h.id = named.value
       ORDER BY h.layer`,
    )
    .all(tenant, JSON.stringify(ids));
  const holders = new Map<string, Holder[]>();
  for (const { id, layer, on_map } of rows) {
    const holder = { layer, on_map: on_map === 1 };
    const known = holders.get(id);
    if (known === undefined) holders.set(id, [holder]);
    else known.push(holder);
  }
  return holders;
}

function storeMembers(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  { appeared, gone }: MapChange,
): void {
  const add = connection.statement(
    'INSERT INTO domain_members (tenant, layer, domain, id) VALUES (?, ?, ?, ?)',
  );
  for (const id of appeared) add.run(tenant, layer, parentPath(id), id);
  const remove = connection.statement(
    'DELETE FROM domain_members WHERE tenant = ? AND layer = ? AND domain = ? AND id = ?',
  );
  for (const id of gone) remove.run(tenant, layer, parentPath(id), id);
}

export function storeCounts(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  changes: readonly CountChange[],
): void {
  const add = connection.statement(
    `INSERT INTO domains (tenant, layer, parent, path, artifact_count, recursive_count, file_count)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET
       artifact_count = artifact_count + excluded.artifact_count,
       recursive_count = recursive_count + excluded.recursive_count,
       file_count = file_count + excluded.file_count`,
  );
  const remove = connection.statement(
    `DELETE FROM domains WHERE tenant = ? AND layer = ? AND parent = ? AND path = ?
       AND recursive_count = 0 AND file_count = 0`,
  );
  for (const { path, artifact_count, recursive_count, file_count } of changes) {
    const key = [tenant, layer, parentPath(path), path] as const;
    add.run(...key, artifact_count, recursive_count, file_count);
    if (recursive_count < 0 || file_count < 0) remove.run(...key);
  }
}
