import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Store } from '@catalog/core/ports/store';

/** Nobody is served from a part of a copy: what is missing would look removed. */
export async function refuseHalfRestored(store: Store): Promise<void> {
  if ((await store.archive.getPendingRestore()) === undefined) return;
  await store.close();
  throw new CatalogError('config.invalid', 'A restore into this store is incomplete.', {
    suggested_action:
      'Run the interrupted `catalog admin restore` or `migrate-to-standard` again; it resumes.',
  });
}
