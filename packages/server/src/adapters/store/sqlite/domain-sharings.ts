import { pathAndAbove } from '@catalog/core/domain/domain-path';
import type { Tenant } from '@catalog/core/ports/tenant';
import { parentPath } from '@catalog/core/text/slash-path';
import type { Connection } from './connection.ts';
import { readJson, type JsonText } from './json-column.ts';

/** Each layer's number, and 1 where its head is on the map. */
export type HoldersText = JsonText<[layer: number, on_map: number][]>;

/** A layer that holds an id, and whether its head is on the map. */
export interface Holder {
  layer: number;
  on_map: boolean;
}

/** Changes of how several layers hold one id, summed up until they are stored. */
export interface SharingChanges {
  /** Called with the holders an id has now. */
  note(id: string, holders: readonly Holder[]): void;
  store(): void;
}

/** `ids` are all that will be noted. */
export function sharingChanges(
  connection: Connection,
  tenant: Tenant,
  ids: readonly string[],
): SharingChanges {
  const known = listSharings(connection, tenant, ids);
  const changes = new Map<string, { layer: number; sharing: number; path: string } & Change>();

  function add(sharing: Sharing, id: string, by: number): void {
    const domain = parentPath(id);
    for (const { layer } of sharing.holders.slice(1)) {
      for (const path of pathAndAbove(domain)) {
        const key = `${sharing.sharing} ${layer} ${path}`;
        let change = changes.get(key);
        if (change === undefined) {
          change = { layer, sharing: sharing.sharing, path, direct: 0, recursive: 0 };
          changes.set(key, change);
        }
        change.recursive += by;
        if (path === domain) change.direct += by;
      }
    }
    connection
      .statement('UPDATE domain_sharings SET ids = ids + ? WHERE sharing = ?')
      .run(by, sharing.sharing);
  }

  return {
    note(id, holders) {
      const before = known.get(id);
      const text = holders.length < 2 ? undefined : writeHolders(holders);
      if (before?.text === text) return;
      if (before !== undefined) add(before, id, -1);
      if (text === undefined) {
        known.delete(id);
        connection
          .statement('DELETE FROM domain_shared_ids WHERE tenant = ? AND id = ?')
          .run(tenant, id);
        return;
      }
      const after = takeSharing(connection, tenant, text);
      known.set(id, after);
      add(after, id, 1);
      connection
        .statement(
          'INSERT OR REPLACE INTO domain_shared_ids (tenant, id, sharing) VALUES (?, ?, ?)',
        )
        .run(tenant, id, after.sharing);
    },
    store() {
      const put = connection.statement(
        `INSERT INTO domain_overlaps
           (tenant, path, layer, sharing, artifact_count, recursive_count)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET
           artifact_count = artifact_count + excluded.artifact_count,
           recursive_count = recursive_count + excluded.recursive_count`,
      );
      const remove = connection.statement(
        `DELETE FROM domain_overlaps
         WHERE tenant = ? AND path = ? AND layer = ? AND sharing = ? AND recursive_count = 0`,
      );
      const removeUnused = connection.statement(
        'DELETE FROM domain_sharings WHERE sharing = ? AND ids = 0',
      );
      for (const { path, layer, sharing, direct, recursive } of changes.values()) {
        put.run(tenant, path, layer, sharing, direct, recursive);
        remove.run(tenant, path, layer, sharing);
        removeUnused.run(sharing);
      }
    },
  };
}

interface Change {
  direct: number;
  recursive: number;
}

interface Sharing {
  sharing: number;
  text: HoldersText;
  /** By the number of their layer. */
  holders: readonly Holder[];
}

/** How the ids were held when they were last noted; those that one layer holds are left out. */
function listSharings(
  connection: Connection,
  tenant: Tenant,
  ids: readonly string[],
): Map<string, Sharing> {
  const rows = connection
    .statement<{ id: string; sharing: number; text: HoldersText }>(
      `SELECT i.id, i.sharing, s.holders AS text
       FROM json_each(?2) named
       CROSS JOIN domain_shared_ids i ON i.tenant = ?1 AND i.id = named.value
       CROSS JOIN domain_sharings s ON s.sharing = i.sharing`,
    )
    .all(tenant, JSON.stringify(ids));
  return new Map(
    rows.map(({ id, sharing, text }) => [id, { sharing, text, holders: readHolders(text) }]),
  );
}

function takeSharing(connection: Connection, tenant: Tenant, text: HoldersText): Sharing {
  const row = connection
    .statement<{ sharing: number }>(
      // The update that changes nothing makes the row come back when it was there.
      `INSERT INTO domain_sharings (tenant, holders, ids) VALUES (?, ?, 0)
       ON CONFLICT (tenant, holders) DO UPDATE SET ids = ids RETURNING sharing`,
    )
    .get(tenant, text);
  if (row === undefined) throw new Error('A way of sharing was not stored.');
  return { sharing: row.sharing, text, holders: readHolders(text) };
}

/** By the number of the layer, so that equal ones are written alike. */
function writeHolders(holders: readonly Holder[]): HoldersText {
  return JSON.stringify(
    holders
      .toSorted((a, b) => a.layer - b.layer)
      .map(({ layer, on_map }) => [layer, Number(on_map)]),
  );
}

export function readHolders(text: HoldersText): Holder[] {
  return readJson(text).map(([layer, on_map]) => ({
    layer,
    on_map: on_map === 1,
  }));
}

/**
 * How many heads too many a view counts for an id held this way: all of its layers' heads that are on
 * the map, but for the winner's.
 */
export function surplusOf(holders: readonly Holder[], ranks: ReadonlyMap<number, number>): number {
  let winner: Holder | undefined;
  let highest = -1;
  let counted = 0;
  for (const holder of holders) {
    const rank = ranks.get(holder.layer);
    if (rank === undefined) continue;
    counted += Number(holder.on_map);
    if (rank < highest) continue;
    highest = rank;
    winner = holder;
  }
  return counted - Number(winner?.on_map === true);
}
