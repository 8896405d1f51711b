import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { nearest } from '@catalog/core/text/nearest';
import type { LockFile } from '../lock/types.ts';
import type { CatalogListing } from '../source/catalog-source.ts';

/** Ids a person named must mean something: an artifact of the registry, or one delivered here. */
export function refuseUnknown(
  ids: readonly string[],
  listing: CatalogListing,
  lock: Pick<LockFile, 'artifacts'>,
): void {
  const known = new Set([
    ...listing.entries.map((entry) => entry.id),
    ...lock.artifacts.map((row) => row.id),
  ]);
  for (const id of ids) {
    if (known.has(id)) continue;
    const near = nearest(id, known);
    throw new CatalogError('registry.not_found', `Artifact not found in this registry: ${id}.`, {
      details: { id },
      suggested_action:
        near === undefined
          ? 'Run `catalog sync --dry-run --json` to list the ids.'
          : `Did you mean ${near}?`,
    });
  }
}
