import type { Config } from '../../config/types.ts';
import { lockedId } from '../../lock/locked-id.ts';
import type { LockFile } from '../../lock/types.ts';
import type { CatalogListing } from '../../source/catalog-source.ts';
import { entryPlace, type Owner } from '../desired-state.ts';
import type { DirectoryPlan, TargetPlan } from '../plan-directory.ts';

export interface Removal {
  managed: number;
  /** Paths removed without a request in the user's own configuration. */
  unasked: Place[];
  /** Paths removed because their target does not run. */
  dropped: Place[];
  added: number;
}

export interface Place {
  name: string;
  path: string;
  /** True if the artifact is written to another path. */
  moves: boolean;
}

export function findRemoval(
  plan: DirectoryPlan,
  planned: readonly TargetPlan[],
  { entries, rejected }: CatalogListing,
  config: Pick<Config, 'registry'>,
): Removal {
  const before = placesOf(plan.previous);
  const after = placesOf(plan.lock);
  // A broken artifact keeps its files, unless the user's configuration excludes it.
  const available = new Set([
    ...entries.map(({ id }) => id),
    ...rejected.map(({ artifact_id }) => artifact_id),
  ]);
  const running = runningTargets(plan, planned);
  const moved = changedRegistries(plan, running, config);
  const isUnrequested = ({ target, id }: Owner): boolean =>
    running.has(target) &&
    !moved.has(target) &&
    (!available.has(id) || running.get(target)?.artifacts.some((row) => row.id === id) === true);
  const unrequested: Place[] = [];
  const dropped: Place[] = [];
  const added = [...after].filter(([name]) => !before.has(name));
  const gaining = new Set(added.flatMap(([, { owners }]) => owners.map(({ id }) => id)));
  for (const [name, { path, owners }] of before) {
    if (after.has(name)) continue;
    const place = { name, path, moves: owners.every(({ id }) => gaining.has(id)) };
    if (owners.some(isUnrequested)) unrequested.push(place);
    else if (owners.some(({ target }) => !running.has(target))) dropped.push(place);
  }
  return { managed: before.size, unasked: unrequested, dropped, added: added.length };
}

function runningTargets(
  { previous }: DirectoryPlan,
  planned: readonly TargetPlan[],
): Map<string, TargetPlan> {
  const harnesses = new Map(previous.targets.map(({ id, harness }) => [id, harness]));
  return new Map(
    planned
      .map((part) => [lockedId(part.locked, previous), part] as const)
      .filter(([id, { locked }]) => harnesses.get(id) === locked.harness),
  );
}

/** Finds targets whose registry the user changed. Files of the previous one may be removed. */
function changedRegistries(
  { previous }: DirectoryPlan,
  running: ReadonlyMap<string, TargetPlan>,
  { registry }: Pick<Config, 'registry'>,
): Set<string> {
  const kind = registry?.origin.kind;
  if (kind === 'flag' || kind === 'env') return new Set();
  return new Set(
    previous.targets
      .filter(({ id, registry: before }) => {
        const now = running.get(id)?.locked.registry;
        return now !== undefined && now !== before;
      })
      .map(({ id }) => id),
  );
}

function placesOf({ files, entries }: LockFile): Map<string, { path: string; owners: Owner[] }> {
  const places = new Map<string, { path: string; owners: Owner[] }>();
  const add = (name: string, { path, target, id }: Owner & { path: string }): void => {
    const place = places.get(name);
    if (place === undefined) places.set(name, { path, owners: [{ target, id }] });
    else place.owners.push({ target, id });
  };
  for (const row of files) add(row.path, row);
  for (const row of entries) add(entryPlace(row.path, row), row);
  return places;
}
