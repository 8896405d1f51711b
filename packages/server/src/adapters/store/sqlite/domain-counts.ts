import { pathAndAbove } from '@catalog/core/domain/domain-path';
import type { Tenant } from '@catalog/core/ports/tenant';
import { parentPath } from '@catalog/core/text/slash-path';
import type { Connection } from './connection.ts';
import { sharingChanges, type Holder } from './domain-sharings.ts';

/**
 * As in search: a head that is deprecated or found by its id alone is not on the map. For a table
 * named `h`.
 */
export const ON_MAP = `(h.deprecated = 0 AND h.search_visibility = 'indexed')`;

/** What a recount found to have changed. */
export interface MapChange {
  appeared: string[];
  gone: string[];
}

/**
 * Brings what is kept of ids in line with the heads of a layer as they are now, those of `removed`
 * gone. It compares with what it counted before, so it may be told of any id, and of one twice. What
 * the counts of the layer change by is noted, to be stored once for many ids.
 */
export function recountHeads(
  connection: Connection,
  tenant: Tenant,
  layer: number,
  ids: readonly string[],
  removed: ReadonlySet<string>,
  counts: CountChanges,
): MapChange {
  const holders = listHolders(connection, tenant, ids);
  const sharings = sharingChanges(connection, tenant, ids);
  const change: MapChange = { appeared: [], gone: [] };
  for (const id of ids) {
    const all = holders.get(id) ?? [];
    const held = removed.has(id) ? all.filter((holder) => holder.layer !== layer) : all;
    const onMap = held.some((holder) => holder.layer === layer && holder.on_map);
    if (putMember(connection, tenant, layer, id, onMap)) {
      change[onMap ? 'appeared' : 'gone'].push(id);
      counts.note(parentPath(id), onMap ? 1 : -1);
    }
    sharings.note(id, held);
  }
  sharings.store();
  return change;
}

/** Which layers hold each of the ids, and whether their heads are on the map. */
function listHolders(
  connection: Connection,
  tenant: Tenant,
  ids: readonly string[],
): ReadonlyMap<string, Holder[]> {
  const rows = connection
    .statement<{ id: string; layer: number; on_map: number }>(
      `SELECT h.id, h.layer, ${ON_MAP} AS on_map
       FROM json_each(?2) named CROSS JOIN heads h ON h.tenant = ?1 AND h.id = named.value`,
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

/** Says whether that changed anything. */
function putMember(
  connection: Connection,
  tenant: Tenant,
  layer: number,
  id: string,
  onMap: boolean,
): boolean {
  const { changes } = connection
    .statement(
      onMap
        ? `INSERT INTO domain_members (tenant, layer, domain, id) VALUES (?, ?, ?, ?)
           ON CONFLICT DO NOTHING`
        : `DELETE FROM domain_members WHERE tenant = ? AND layer = ? AND domain = ? AND id = ?`,
    )
    .run(tenant, layer, parentPath(id), id);
  return Number(changes) > 0;
}

/** A path, and by how much each count of a layer there changes. */
export interface CountChange {
  path: string;
  artifact_count: number;
  recursive_count: number;
  file_count: number;
}

/** Changes of one layer's counts, summed up until they are stored. */
export interface CountChanges {
  /** So many artifacts more directly in a domain. */
  note: (domain: string, by: number) => void;
  /** So many `DOMAIN.md` files more at a path. */
  noteFile: (path: string, by: number) => void;
  list: () => CountChange[];
}

export function countChanges(): CountChanges {
  const changes = new Map<string, CountChange>();

  function at(path: string): CountChange {
    let change = changes.get(path);
    if (change === undefined) {
      change = { path, artifact_count: 0, recursive_count: 0, file_count: 0 };
      changes.set(path, change);
    }
    return change;
  }

  return {
    note(domain, by) {
      at(domain).artifact_count += by;
      for (const path of pathAndAbove(domain)) at(path).recursive_count += by;
    },
    noteFile(domain, by) {
      for (const path of pathAndAbove(domain)) at(path).file_count += by;
    },
    list: () => [...changes.values()],
  };
}

export function storeCounts(
  connection: Connection,
  tenant: Tenant,
  layer: number,
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
