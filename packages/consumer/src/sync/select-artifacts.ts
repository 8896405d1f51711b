import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { FIRST_CLASS_TYPES } from '@catalog/core/artifact/types';
import { compileScope } from '@catalog/core/scope/scope-filter';
import { nearest } from '@catalog/core/text/nearest';
import type { ResolvedTarget } from '../config/types.ts';
import type { Toggles } from '../lock/types.ts';
import type { CatalogEntry } from '../source/catalog-source.ts';

export function selectEntries(
  entries: readonly CatalogEntry[],
  target: ResolvedTarget,
  toggles: Toggles,
): CatalogEntry[] {
  refuseUnknownTypes(entries, target);
  const inScope = compileScope(target.scope);
  const added = new Set(toggles.add);
  const removed = new Set(toggles.remove);
  return entries.filter(
    (entry) => !removed.has(entry.id) && (added.has(entry.id) || inScope(entry)),
  );
}

/** Throws for an unknown artifact type: a typo matches nothing, and a sync would remove all files. */
export function refuseUnknownTypes(
  entries: readonly CatalogEntry[],
  { scope }: Pick<ResolvedTarget, 'scope'>,
): void {
  const unknown = scope.type.find(
    (type) => !KNOWN_TYPES.has(type) && !entries.some((entry) => entry.type === type),
  );
  if (unknown === undefined) return;
  const types = new Set([...KNOWN_TYPES, ...entries.map((entry) => entry.type)]);
  const near = nearest(unknown, types);
  throw new CatalogError('config.invalid', `Unknown type ${unknown}.`, {
    details: { value: unknown, available: [...types] },
    suggested_action:
      near === undefined ? `Use one of ${[...types].join(', ')}.` : `Did you mean ${near}?`,
  });
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(FIRST_CLASS_TYPES);
