import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { nearest } from '@catalog/core/text/nearest';
import { isLoadedBy } from '../../lock/loaded-owner.ts';
import type { RequestFacts } from './rule.ts';

export function refuseNotLoaded({
  options: { release },
  lock: { artifacts },
}: RequestFacts): CatalogError | undefined {
  const loaded = new Set(artifacts.filter(({ target }) => isLoadedBy(target)).map(({ id }) => id));
  for (const id of release?.ids ?? []) {
    if (loaded.has(id)) continue;
    const near = nearest(id, loaded);
    return new CatalogError('registry.not_found', `No agent has loaded ${id} in this workspace.`, {
      details: { id },
      suggested_action:
        near === undefined
          ? 'Run `catalog sync --release` without an id to release everything that was loaded.'
          : `Did you mean ${near}?`,
    });
  }
  return undefined;
}
