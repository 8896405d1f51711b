import { compileScope } from '@catalog/core/scope/scope-filter';
import type { ResolvedTarget } from '../config/types.ts';
import type { LockFile, Toggles } from '../lock/types.ts';
import type { CatalogListing } from '../source/catalog-source.ts';

/**
 * Returns artifacts that can no longer be read or are rejected by lint. Their last copies stay (SPEC-73), unless the
 * user's configuration excludes them.
 */
export function brokenArtifacts(
  { scope }: Pick<ResolvedTarget, 'scope'>,
  locked: string,
  {
    listing,
    lock,
    toggles,
  }: { listing: CatalogListing; lock: Pick<LockFile, 'artifacts'>; toggles: Toggles },
): Set<string> {
  if (listing.rejected.length === 0) return new Set();
  const layers = new Map(
    lock.artifacts.filter(({ target }) => target === locked).map(({ id, layer }) => [id, layer]),
  );
  const served = new Map(listing.entries.map(({ id, layer }) => [id, layer]));
  // The type of a broken artifact is unknown.
  const isSelected = compileScope({ ...scope, type: [] });
  return new Set(
    listing.rejected
      .filter(
        ({ artifact_id: id, layer }) =>
          layers.get(id) === layer &&
          served.get(id) !== layer &&
          !toggles.remove.includes(id) &&
          (toggles.add.includes(id) || isSelected({ id, type: '' })),
      )
      .map(({ artifact_id }) => artifact_id),
  );
}
