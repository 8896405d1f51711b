import type { Holder, Sharing, SharingChanges } from '@catalog/core/domain/head-sharing';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection } from '../connection/connection.ts';
import { readJson, type JsonText } from '../connection/json-column.ts';

/** List of layers that share an id, as JSON. `on_map` is 1 if the head of the layer is listed. */
export type HoldersText = JsonText<[layer: LayerNumber, on_map: number][]>;

export function listSharings(
  connection: Connection,
  tenant: Tenant,
  ids: readonly string[],
): ReadonlyMap<string, Sharing> {
  const rows = connection
    .statement<{ id: string; holders: HoldersText }>(
      `SELECT i.id, s.holders FROM json_each(?2) named
       CROSS JOIN domain_shared_ids i ON i.tenant = ?1 AND i.id = named.value
       CROSS JOIN domain_sharings s ON s.sharing = i.sharing`,
    )
    .all(tenant, JSON.stringify(ids));
  return new Map(
    rows.map(({ id, holders }) => [id, { key: holders, holders: readHolders(holders) }]),
  );
}

export function storeSharings(
  connection: Connection,
  tenant: Tenant,
  changes: SharingChanges,
): void {
  const numbers = new Map(
    changes
      .uses()
      .map(({ sharing, by }) => [sharing.key, countUses(connection, tenant, sharing.key, by)]),
  );
  const numberOf = (key: string): number => numbers.get(key) ?? UNKNOWN;
  storeIds(connection, tenant, changes, numberOf);
  storeOverlaps(connection, tenant, changes, numberOf);
  const removeUnused = connection.statement(
    'DELETE FROM domain_sharings WHERE sharing = ? AND ids = 0',
  );
  for (const number of numbers.values()) removeUnused.run(number);
}

/** Placeholder that is never stored: every referenced number is among the changed ones. */
const UNKNOWN = -1;

/**
 * Counts how many ids a set of layers shares and returns the number of the set, which stays the same while an id has
 * these layers.
 */
function countUses(
  connection: Connection,
  tenant: Tenant,
  holders: HoldersText,
  by: number,
): number {
  const row = connection
    .statement<{ sharing: number }>(
      `INSERT INTO domain_sharings (tenant, holders, ids) VALUES (?, ?, ?)
       ON CONFLICT (tenant, holders) DO UPDATE SET ids = ids + excluded.ids RETURNING sharing`,
    )
    .get(tenant, holders, by);
  if (row === undefined) throw new Error('A way of sharing was not stored.');
  return row.sharing;
}

function storeIds(
  connection: Connection,
  tenant: Tenant,
  changes: SharingChanges,
  numberOf: (key: string) => number,
): void {
  const put = connection.statement(
    'INSERT OR REPLACE INTO domain_shared_ids (tenant, id, sharing) VALUES (?, ?, ?)',
  );
  const remove = connection.statement('DELETE FROM domain_shared_ids WHERE tenant = ? AND id = ?');
  for (const { id, sharing } of changes.ids()) {
    if (sharing === undefined) remove.run(tenant, id);
    else put.run(tenant, id, numberOf(sharing));
  }
}

function storeOverlaps(
  connection: Connection,
  tenant: Tenant,
  changes: SharingChanges,
  numberOf: (key: string) => number,
): void {
  const put = connection.statement(
    `INSERT INTO domain_overlaps (tenant, path, layer, sharing, artifact_count, recursive_count)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET
       artifact_count = artifact_count + excluded.artifact_count,
       recursive_count = recursive_count + excluded.recursive_count`,
  );
  const remove = connection.statement(
    `DELETE FROM domain_overlaps
     WHERE tenant = ? AND path = ? AND layer = ? AND sharing = ? AND recursive_count = 0`,
  );
  for (const { path, layer, sharing, artifact_count, recursive_count } of changes.overlaps()) {
    const key = [tenant, path, layer, numberOf(sharing)] as const;
    put.run(...key, artifact_count, recursive_count);
    remove.run(...key);
  }
}

/** Encodes layers that share an id, ordered by number. Equal sets have equal strings. */
export function writeHolders(holders: readonly Holder[]): HoldersText {
  return JSON.stringify(holders.map(({ layer, on_map }) => [layer, Number(on_map)]));
}

export function readHolders(text: HoldersText): Holder[] {
  return readJson(text).map(([layer, on_map]) => ({ layer, on_map: on_map === 1 }));
}
