import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { StoreReads } from '@catalog/core/ports/store';

/**
 * Rejects a partially restored store: missing data would look removed to clients, and a backup of it would look
 * complete.
 */
export async function rejectPartialRestore({
  archive,
}: Pick<StoreReads, 'archive'>): Promise<void> {
  if ((await archive.getPendingRestore()) === undefined) return;
  throw new CatalogError('config.invalid', 'A restore into this store is incomplete.', {
    suggested_action:
      'Run the interrupted `catalog admin restore` or `migrate-to-standard` again; it resumes.',
  });
}
