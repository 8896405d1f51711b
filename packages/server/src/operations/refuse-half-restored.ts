import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Store } from '@catalog/core/ports/store';

/** Nobody is served from a part of a copy: what is missing would look removed. */
export async function refuseHalfRestored(store: Store): Promise<void> {
  if ((await store.archive.getPendingRestore()) === undefined) return;
  await store.close();
  throw new CatalogError('config.invalid', 'A restore into this store has not come to its end.', {
    suggested_action:
      'Run the catalog admin restore or migrate-to-standard that was interrupted again; it goes on where it stopped.',
  });
}
