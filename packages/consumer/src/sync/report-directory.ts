import type { ResolvedTarget } from '../config/types.ts';
import type { LockedArtifact, LockFile } from '../lock/types.ts';
import type { CatalogEntry, CatalogListing } from '../source/catalog-source.ts';
import { listMoves, type ArtifactMove } from './artifact-moves.ts';
import type { Owner } from './desired-state.ts';
import type { DirectoryPlan, TargetPlan } from './plan-directory.ts';
import type { Change, FileChange, TargetReport } from './report.ts';
import type { SharedPlan } from './shared-files.ts';

/** What a plan means for each target of its folder. */
export function reportDirectory(
  plan: DirectoryPlan,
  planned: readonly TargetPlan[],
  targets: readonly ResolvedTarget[],
  listing: CatalogListing,
): TargetReport[] {
  const entries = new Map(listing.entries.map((entry) => [entry.id, entry]));
  const previous = previousOwners(plan.previous);
  const running = new Set(planned.map(({ locked }) => locked.id));
  const before = Map.groupBy(plan.previous.artifacts, (row) => row.target);
  return planned.map((part, position) => {
    const target = targets[position];
    return {
      target: part.locked.id,
      directory: plan.directory,
      registry: part.locked.registry,
      harness: part.locked.harness,
      profile: target?.profile,
      artifacts: part.artifacts.map(({ id, version, layer, content_hash }) => ({
        id,
        type: typeOf(entries.get(id)),
        version,
        layer,
        content_hash,
      })),
      moved: movesOf(part, before.get(part.locked.id) ?? []),
      changes: changesOf(plan, { previous, running, target: part.locked.id }, position === 0),
      unchanged: unchangedOf(plan, part),
      skipped: part.skipped,
      rejected: listing.rejected,
      fallbacks: part.plan.fallbacks.map(({ artifact_id, reason }) => ({ artifact_id, reason })),
      warnings: listing.advisories,
      kept: [],
    };
  });
}

/** What an update of others left alone has not moved. */
function movesOf({ artifacts, frozen }: TargetPlan, before: LockedArtifact[]): ArtifactMove[] {
  return listMoves(
    before.filter(({ id }) => !frozen.has(id)),
    artifacts,
  );
}

function typeOf(entry: CatalogEntry | undefined): string {
  return entry?.type ?? '';
}

interface Ownership {
  /** Who a path belonged to before this run, whole or by an entry in it. */
  previous: ReadonlyMap<string, readonly Owner[]>;
  /** The targets of this run. */
  running: ReadonlySet<string>;
  /** The one the changes are told of. */
  target: string;
}

function previousOwners({ files, entries }: LockFile): Ownership['previous'] {
  return Map.groupBy<string, Owner & { path: string }>([...files, ...entries], ({ path }) => path);
}

/** A change belongs to the target that owns the file; what nobody running owns is told by the first. */
function changesOf(
  plan: DirectoryPlan,
  { previous, running, target }: Ownership,
  isFirst: boolean,
): FileChange[] {
  const changes: FileChange[] = [];

  function tell(path: string, change: Change, owners: readonly Owner[]): void {
    const mine = owners.filter((owner) => owner.target === target);
    const isOrphan = isFirst && !owners.some((owner) => running.has(owner.target));
    if (mine.length > 0 || isOrphan) {
      changes.push({ path, change, artifact_ids: idsOf(mine.length > 0 ? mine : owners) });
    }
  }

  for (const { path, file, change } of plan.files.writes) {
    const mine = file.owners.filter((owner) => owner.target === target);
    if (mine.length > 0) changes.push({ path, change, artifact_ids: idsOf(mine) });
  }
  for (const path of plan.files.deletes) tell(path, 'removed', previous.get(path) ?? []);
  for (const shared of plan.shared) {
    if (!shared.changed) continue;
    const { path, entries } = shared;
    tell(path, sharedChange(shared), [...entries, ...(previous.get(path) ?? [])]);
  }
  return changes;
}

function idsOf(owners: readonly Owner[]): string[] {
  return [...new Set(owners.map(({ id }) => id))];
}

function sharedChange({ before, text }: SharedPlan): Change {
  if (text === undefined) return 'removed';
  return before === undefined ? 'added' : 'changed';
}

/** What an update of others left alone is unchanged, too. */
function unchangedOf(plan: DirectoryPlan, { locked, frozen }: TargetPlan): number {
  const written = new Set(plan.files.writes.map(({ path }) => path));
  const mine = (owner: Owner): boolean => owner.target === locked.id;
  let count = 0;
  for (const [path, file] of plan.desired.files) {
    if (!written.has(path) && file.owners.some(mine)) count += 1;
  }
  if (frozen.size > 0) {
    const held = plan.lock.files.filter((row) => mine(row) && frozen.has(row.id));
    count += new Set(held.map(({ path }) => path)).size;
  }
  return (
    count + plan.shared.filter(({ changed, entries }) => !changed && entries.some(mine)).length
  );
}
