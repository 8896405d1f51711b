import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { nearest } from '@catalog/core/text/nearest';
import type { RequestFacts } from './rule.ts';

/** Rejects ids on the command line that neither the registry nor the lock contains. */
export function refuseUnknown({
  options: { toggle, update = [], accept_changed = [] },
  ...known
}: RequestFacts): CatalogError | undefined {
  const toggled = toggle === undefined || toggle.state === 'forget' ? [] : toggle.ids;
  return unknownArtifact([...toggled, ...update, ...accept_changed], known);
}

export function unknownArtifact(
  ids: readonly string[],
  { listing, lock }: Pick<RequestFacts, 'listing' | 'lock'>,
): CatalogError | undefined {
  const known = new Set([
    ...listing.entries.map((entry) => entry.id),
    ...lock.artifacts.map((row) => row.id),
  ]);
  for (const id of ids) {
    if (known.has(id)) continue;
    const near = nearest(id, known);
    return new CatalogError('registry.not_found', `Artifact not found in this registry: ${id}.`, {
      details: { id },
      suggested_action:
        near === undefined
          ? 'Run `catalog sync --dry-run --json` to list the ids.'
          : `Did you mean ${near}?`,
    });
  }
  return undefined;
}
