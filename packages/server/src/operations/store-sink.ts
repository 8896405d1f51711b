import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type {
  ArchiveRows,
  ArchiveSink,
  ArchiveSource,
  ArchiveTable,
  PendingRestore,
} from '@catalog/core/ports/archive';
import type { Store } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { restoreRows, type LayerIds } from './restore-rows.ts';

/**
 * Opens a store as the target of a copy. Each page is one transaction. The store records the progress, so the same copy
 * can resume, and a different copy is rejected. No registry serves the store before the copy is complete.
 */
export async function openStoreSink(
  store: Store,
  name: string,
  source: ArchiveSource,
): Promise<ArchiveSink & { resumed: boolean }> {
  const before = await begin(store, name);
  const layers = await readLayerIds(source);
  let done: PendingRestore['done'] = before.done;
  const seen = new Map<ArchiveTable, number>();

  return {
    resumed: Object.keys(before.done).length > 0,
    async write(table, page) {
      const read = seen.get(table) ?? 0;
      seen.set(table, read + page.length);
      const rows = page.slice(Math.max(0, (done[table] ?? 0) - read));
      if (rows.length === 0) return;
      const next = { ...done, [table]: read + page.length };
      await store.transaction(async (writes) => {
        for (const [tenant, some] of byTenant(rows)) {
          await restoreRows(writes, table, some, { tenant, layers });
        }
        await writes.archive.setPendingRestore({ source: name, done: next });
      });
      done = next;
    },
    finish: () => store.transaction(({ archive }) => archive.setPendingRestore(undefined)),
  };
}

async function begin(store: Store, name: string): Promise<PendingRestore> {
  return store.transaction(async ({ archive }) => {
    const pending = await archive.getPendingRestore();
    if (pending !== undefined) {
      if (pending.source === name) return pending;
      throw new CatalogError(
        'config.invalid',
        'The store contains part of another incomplete restore.',
        { suggested_action: 'Finish that restore, or use an empty store.' },
      );
    }
    if (!(await archive.isEmpty())) {
      throw new CatalogError(
        'config.invalid',
        'The store is not empty; a restore needs an empty one.',
        {
          suggested_action: 'Use a new file or database. The existing content is unchanged.',
        },
      );
    }
    const fresh: PendingRestore = { source: name, done: {} };
    await archive.setPendingRestore(fresh);
    return fresh;
  });
}

/** Reads the ids of layers by number: versions refer to a number, the ledger to an id. */
async function readLayerIds(source: ArchiveSource): Promise<LayerIds> {
  const ids = new Map<string, string>();
  for await (const page of source.read('layer_numbers')) {
    for (const { tenant, number, id } of page) ids.set(`${tenant} ${number}`, id);
  }
  return (tenant, number) => {
    const id = ids.get(`${tenant} ${number}`);
    if (id === undefined) throw new Error(`Layer ${number} of tenant ${tenant} has no id.`);
    return id;
  };
}

function byTenant<Table extends ArchiveTable>(
  rows: readonly ArchiveRows[Table][],
): Map<Tenant, ArchiveRows[Table][]> {
  return Map.groupBy(rows, ({ tenant }) => tenant);
}
