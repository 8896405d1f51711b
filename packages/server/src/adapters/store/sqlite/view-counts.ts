import type { Sensitivity } from '@catalog/core/artifact/types';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { HeadRecord, LayerStack, ViewCounts } from '@catalog/core/ports/versions';
import type { Connection } from './connection.ts';
import { readJson, type JsonText } from './json-column.ts';

/** One layer's head of an id, as far as counts tell heads apart. */
export interface Holder {
  layer: number;
  type: string;
  sensitivity: Sensitivity;
}

/** What is declared nowhere counts as low. */
export function toHolder(
  layer: number,
  { type, sensitivity }: Pick<HeadRecord, 'type' | 'sensitivity'>,
): Holder {
  return { layer, type, sensitivity: sensitivity ?? 'low' };
}

/**
 * The changes a write makes to the counters, summed up until they are stored. A view's counts are the
 * sums of its layers less what higher layers hide; both come from these tables, and neither grows with
 * the catalogue.
 */
export interface CountChanges {
  /** Called with the holders of an id before and after the write. */
  note(before: readonly Holder[], after: readonly Holder[]): void;
  store(connection: Connection): void;
}

export function countChanges(tenant: Tenant): CountChanges {
  const heads = new Map<string, { holder: Holder; by: number }>();
  const overlaps = new Map<string, number>();

  function addHead(holder: Holder, by: number): void {
    const key = `${holder.layer} ${holder.sensitivity} ${holder.type}`;
    const known = heads.get(key);
    if (known === undefined) heads.set(key, { holder, by });
    else known.by += by;
  }

  function addOverlap(holders: readonly Holder[], by: number): void {
    if (holders.length < 2) return;
    const key = writeHolders(holders);
    overlaps.set(key, (overlaps.get(key) ?? 0) + by);
  }

  return {
    note(before, after) {
      for (const holder of before) addHead(holder, -1);
      for (const holder of after) addHead(holder, 1);
      addOverlap(before, -1);
      addOverlap(after, 1);
    },
    store(connection) {
      for (const { holder, by } of heads.values()) {
        if (by === 0) continue;
        const key = [tenant, holder.layer, holder.type, holder.sensitivity] as const;
        connection
          .statement(
            `INSERT INTO head_counts (tenant, layer, type, sensitivity, heads) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT DO UPDATE SET heads = heads + excluded.heads`,
          )
          .run(...key, by);
        connection
          .statement(
            `DELETE FROM head_counts
             WHERE tenant = ? AND layer = ? AND type = ? AND sensitivity = ? AND heads = 0`,
          )
          .run(...key);
      }
      for (const [holders, by] of overlaps) {
        if (by === 0) continue;
        connection
          .statement(
            `INSERT INTO overlaps (tenant, holders, ids) VALUES (?, ?, ?)
             ON CONFLICT DO UPDATE SET ids = ids + excluded.ids`,
          )
          .run(tenant, holders, by);
        connection
          .statement('DELETE FROM overlaps WHERE tenant = ? AND holders = ? AND ids = 0')
          .run(tenant, holders);
      }
    },
  };
}

export function countView(connection: Connection, tenant: Tenant, layers: LayerStack): ViewCounts {
  const counts = {
    artifact_count: 0,
    by_type: new Map<string, number>(),
    by_sensitivity: { low: 0, medium: 0, high: 0 },
  };
  function add({ type, sensitivity }: Holder, by: number): void {
    counts.artifact_count += by;
    counts.by_type.set(type, (counts.by_type.get(type) ?? 0) + by);
    counts.by_sensitivity[sensitivity] += by;
  }
  const rows = connection.statement<Holder & { heads: number }>(
    'SELECT layer, type, sensitivity, heads FROM head_counts WHERE tenant = ? AND layer = ?',
  );
  for (const layer of layers) {
    for (const row of rows.all(tenant, layer)) add(row, row.heads);
  }
  const ranks = new Map(layers.map((layer, rank) => [layer, rank]));
  const overlaps = connection
    .statement<{ holders: HoldersText; ids: number }>(
      'SELECT holders, ids FROM overlaps WHERE tenant = ?',
    )
    .all(tenant);
  for (const { holders, ids } of overlaps) {
    for (const hidden of hiddenHolders(readHolders(holders), ranks)) add(hidden, -ids);
  }
  return {
    ...counts,
    by_type: Object.fromEntries([...counts.by_type].filter(([, heads]) => heads > 0)),
  };
}

/** The holders of a view that a higher one hides. */
function hiddenHolders(
  holders: readonly Holder[],
  ranks: ReadonlyMap<number, number>,
): readonly Holder[] {
  return holders
    .filter(({ layer }) => ranks.has(layer))
    .sort((a, b) => (ranks.get(b.layer) ?? 0) - (ranks.get(a.layer) ?? 0))
    .slice(1);
}

/** Holders by their layer, so that equal ones are written alike. */
function writeHolders(holders: readonly Holder[]): string {
  return JSON.stringify(
    holders
      .toSorted((a, b) => a.layer - b.layer)
      .map(({ layer, type, sensitivity }) => [layer, type, sensitivity]),
  );
}

type HoldersText = JsonText<[number, string, Sensitivity][]>;

function readHolders(text: HoldersText): Holder[] {
  return readJson(text).map(([layer, type, sensitivity]) => ({
    layer,
    type,
    sensitivity,
  }));
}
