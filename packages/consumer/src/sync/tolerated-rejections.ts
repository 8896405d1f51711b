import type { Rejection } from '@catalog/core/ingest/types';
import { compileScope } from '@catalog/core/scope/scope-filter';
import type { ResolvedTarget } from '../config/types.ts';
import type { Toggles } from '../lock/types.ts';
import type { CatalogEntry } from '../source/catalog-source.ts';

export interface RejectionScope {
  /** Target; undefined for a marketplace, which selects all artifacts. */
  target: Pick<ResolvedTarget, 'scope'> | undefined;
  toggles: Toggles;
}

export interface RejectedListing {
  rejected: readonly Rejection[];
  entries: readonly Pick<CatalogEntry, 'id' | 'layer'>[];
}

/**
 * Returns the rejected artifacts that do not fail a run (SPEC-93): they are not selected, or the registry still serves
 * an earlier version from the same layer.
 */
export function toleratedRejections(
  { target, toggles }: RejectionScope,
  { rejected, entries }: RejectedListing,
): string[] {
  if (rejected.length === 0) return [];
  const served = new Map(entries.map(({ id, layer }) => [id, layer]));
  const scope = target?.scope ?? EVERYTHING;
  const inScope = compileScope(scope);
  // An artifact of unknown type may have any type.
  const inPaths = compileScope({ ...scope, type: [] });
  const isSelected = ({ artifact_id: id, type }: Rejection): boolean =>
    !toggles.remove.includes(id) &&
    (toggles.add.includes(id) ||
      (type === undefined ? inPaths({ id, type: '' }) : inScope({ id, type })));
  const fails = (rejection: Rejection): boolean =>
    isSelected(rejection) && served.get(rejection.artifact_id) !== rejection.layer;
  const failing = new Set(rejected.filter(fails).map(({ artifact_id }) => artifact_id));
  const ids = new Set(rejected.map(({ artifact_id }) => artifact_id));
  return [...ids].filter((id) => !failing.has(id));
}

const EVERYTHING = { include: [], exclude: [], type: [] };
