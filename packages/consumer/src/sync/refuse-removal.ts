import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Config } from '../config/types.ts';
import { getLastViewer, type Caller } from '../lock/delivered-to.ts';
import { lockedId } from '../lock/locked-id.ts';
import type { LockFile } from '../lock/types.ts';
import { viewerOf } from '../identity/subject-of.ts';
import type { CatalogListing } from '../source/catalog-source.ts';
import { entryPlace, type Owner } from './desired-state.ts';
import type { DirectoryPlan, TargetPlan } from './plan-directory.ts';
import { replacedHarnesses } from './report-directory.ts';
import type { SyncOptions } from './sync-options.ts';

/** A removal of fewer files than this is ordinary, even if it is all of them. */
const MIN_ALL = 3;
/** From this many managed files on, losing more than half of them needs a confirmation. */
const MIN_HALF = 10;

export interface RemovalCheck {
  plan: DirectoryPlan;
  planned: readonly TargetPlan[];
  listing: CatalogListing;
  config: Config;
  options: SyncOptions;
  /** Undefined for a folder registry. */
  caller: Caller | undefined;
}

/**
 * A shrinking view is not a command to delete (SPEC-73). Throws if the run would remove files
 * because the caller changed, because the registry lost most of its artifacts, or because a flag
 * names another harness, and the user has not agreed to exactly that.
 */
export async function refuseRemoval(check: RemovalCheck): Promise<void> {
  const removal = findRemoval(check);
  refuseOtherIdentity(check, removal);
  refuseMassRemoval(check, removal);
  await confirmReplacedHarnesses(check, removal);
}

interface Removal {
  /** Managed files and entries before the run. */
  managed: number;
  /** Those that go and were not left out by the user's own configuration. */
  unasked: Place[];
  /** Those that go because their target is no longer part of the run. */
  dropped: Place[];
  added: number;
}

interface Place {
  /** Distinguishes entries of one file. */
  name: string;
  path: string;
  /** True if the run installs the artifact in another place, such as under its qualified name. */
  moves: boolean;
}

function findRemoval({ plan, planned, listing, config }: RemovalCheck): Removal {
  const before = placesOf(plan.previous);
  const after = placesOf(plan.lock);
  const available = new Set(listing.entries.map(({ id }) => id));
  const running = runningTargets(plan, planned);
  const moved = changedRegistries(plan, running, config);
  const isUnasked = ({ target, id }: Owner): boolean =>
    running.has(target) &&
    !moved.has(target) &&
    (!available.has(id) || running.get(target)?.artifacts.some((row) => row.id === id) === true);
  const unasked: Place[] = [];
  const dropped: Place[] = [];
  const added = [...after].filter(([name]) => !before.has(name));
  const gaining = new Set(added.flatMap(([, { owners }]) => owners.map(({ id }) => id)));
  for (const [name, { path, owners }] of before) {
    if (after.has(name)) continue;
    const place = { name, path, moves: owners.every(({ id }) => gaining.has(id)) };
    if (owners.some(isUnasked)) unasked.push(place);
    else if (owners.some(({ target }) => !running.has(target))) dropped.push(place);
  }
  return { managed: before.size, unasked, dropped, added: added.length };
}

/** The plans of this run by the id the lock has for their targets; another harness is another target. */
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

/** Targets whose registry the user's configuration files changed: what the former one had may go. */
function changedRegistries(
  { previous }: DirectoryPlan,
  running: ReadonlyMap<string, TargetPlan>,
  { registry }: Config,
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

function refuseOtherIdentity(
  { plan: { directory, state }, options, caller }: RemovalCheck,
  { unasked }: Removal,
): void {
  const hidden = unasked.filter(({ moves }) => !moves);
  if (caller === undefined || options.accept_identity === true || hidden.length === 0) return;
  const { registry, viewer } = caller;
  const before = getLastViewer(state, registry);
  if (before === undefined || before === viewer) return;
  const who =
    viewer === viewerOf(undefined)
      ? `You are not signed in to ${registry}, and the last sync of ${directory} was`
      : `You are signed in to ${registry} as a different user than at the last sync of ${directory}`;
  throw new CatalogError(
    'auth.identity_changed',
    `${who}. This sync would remove ${count(hidden)} that you can no longer see, so nothing was changed.\n${listed(hidden)}`,
    { details: { directory, registry, removed: pathsOf(hidden) } },
  );
}

function refuseMassRemoval({ plan, options }: RemovalCheck, removal: Removal): void {
  if (options.allow_removal === true) return;
  const { managed, unasked, added } = removal;
  const net = unasked.length - added;
  const all = net >= managed && net >= MIN_ALL;
  const most = managed >= MIN_HALF && net * 2 > managed;
  if (!all && !most) return;
  const { directory } = plan;
  throw new CatalogError(
    'materialize.removal_refused',
    `The registry no longer serves most of what catalog installed in ${directory}: this sync would remove ${unasked.length} of ${managed} managed files and entries. Nothing was changed.\n${listed(unasked)}`,
    { details: { directory, removed: pathsOf(unasked), managed } },
  );
}

/** `--harness` names what this run is about; it is not a request to remove the others. */
async function confirmReplacedHarnesses(
  { plan, config, options }: RemovalCheck,
  { dropped, managed }: Removal,
): Promise<void> {
  const { kind } = config.harness.origin;
  if (options.allow_removal === true || (kind !== 'flag' && kind !== 'env')) return;
  const harnesses = replacedHarnesses(plan);
  if (harnesses.length === 0 || dropped.length === 0) return;
  const { directory } = plan;
  const removed = pathsOf(dropped);
  const asks = options.mode === 'sync' ? options.confirmRemoval : undefined;
  if ((await asks?.({ directory, harnesses, removed })) === true) return;
  const all = [...new Set([...harnesses, ...config.targets.map(({ harness }) => harness)])];
  throw new CatalogError(
    'materialize.removal_refused',
    `${config.harness.origin.name} leaves out ${harnesses.join(', ')}, so this sync would remove ${count(dropped)} of ${harnesses.length === 1 ? 'that harness' : 'those harnesses'} from ${directory}. Nothing was changed.\n${listed(dropped)}`,
    {
      details: { directory, removed, managed, harnesses },
      suggested_action: `To keep them, run \`catalog sync --harness ${all.join(',')}\`. To remove them, add --allow-removal.`,
    },
  );
}

const SHOWN = 10;

function listed(places: readonly Place[]): string {
  const paths = pathsOf(places);
  const lines = paths.slice(0, SHOWN).map((path) => `  ${path}`);
  const more = paths.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

function pathsOf(places: readonly Place[]): string[] {
  return [...new Set(places.map(({ path }) => path))];
}

function count(places: readonly Place[]): string {
  const paths = pathsOf(places).length;
  return paths === 1 ? '1 file' : `${paths} files`;
}
