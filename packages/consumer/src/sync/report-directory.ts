import type { ResolvedTarget } from '../config/types.ts';
import { lockedId } from '../lock/locked-id.ts';
import type { LockedArtifact, LockFile } from '../lock/types.ts';
import type { CatalogEntry, CatalogListing } from '../source/catalog-source.ts';
import { listMoves, type ArtifactMove } from './artifact-moves.ts';
import type { Owner } from './desired-state.ts';
import type { DirectoryPlan, TargetPlan } from './plan-directory.ts';
import type { Change, FileChange, TargetReport } from './report.ts';
import type { SharedPlan } from './shared-files.ts';
import { toleratedRejections, type RejectionScope } from './tolerated-rejections.ts';

export function reportDirectory(
  plan: DirectoryPlan,
  planned: readonly TargetPlan[],
  targets: readonly ResolvedTarget[],
  listing: CatalogListing,
): TargetReport[] {
  const entries = new Map(listing.entries.map((entry) => [entry.id, entry]));
  const effects = effectsOf(plan, planned);
  const before = Map.groupBy(plan.previous.artifacts, (row) => row.target);
  const replaced = replacedHarnesses(plan);
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
      moved: movesOf(part, before.get(lockedId(part.locked, plan.previous)) ?? []),
      changes: effects.get(part.locked.id)?.changes ?? [],
      unchanged: effects.get(part.locked.id)?.unchanged ?? 0,
      skipped: part.skipped,
      rejected: listing.rejected,
      ...toleratedIn({ target, toggles: plan.lock.toggles }, listing),
      ...keptBroken(part, listing),
      fallbacks: part.plan.fallbacks.map(({ artifact_id, reason, minor }) => ({
        artifact_id,
        reason,
        ...(minor === undefined ? {} : { minor }),
      })),
      warnings: listing.advisories.filter(({ code }) => code !== REPORTED_AS_FALLBACK),
      pre_existing: preExistingOf(plan, part.locked.id),
      claimed: position === 0 ? claimedIn(plan) : [],
      ...(position === 0 ? listPutBack(plan) : {}),
      ...(part.budget === undefined ? {} : { budget: part.budget }),
      kept: [],
      ...(part.denied === undefined || part.denied.length === 0 ? {} : { denied: part.denied }),
      ...(part.unexpected_changes === undefined
        ? {}
        : { unexpected_changes: part.unexpected_changes }),
      // Concerns the whole folder, so only the first target reports it.
      ...(replaced.length > 0 && position === 0 ? { replaced } : {}),
    };
  });
}

/** A sync reports its own harnesses as `fallbacks` instead. */
const REPORTED_AS_FALLBACK = 'lint.harness_capability';

export function replacedHarnesses({ previous, lock, files, shared }: DirectoryPlan): string[] {
  const staying = new Set(lock.targets.map(({ harness }) => harness));
  const gone = previous.targets.filter(({ harness }) => !staying.has(harness));
  if (gone.length === 0) return [];
  const emptied = shared.filter(({ changed }) => changed).map(({ path }) => path);
  const touched = new Set([...files.deletes, ...emptied]);
  const losing = new Set(
    [...previous.files, ...previous.entries]
      .filter(({ path }) => touched.has(path))
      .map(({ target }) => target),
  );
  return [...new Set(gone.filter(({ id }) => losing.has(id)).map(({ harness }) => harness))];
}

function toleratedIn(
  scope: RejectionScope,
  listing: CatalogListing,
): Pick<TargetReport, 'tolerated'> {
  const tolerated = toleratedRejections(scope, listing);
  return tolerated.length === 0 ? {} : { tolerated };
}

function keptBroken(
  { frozen }: TargetPlan,
  { rejected }: CatalogListing,
): Pick<TargetReport, 'kept_broken'> {
  const ids = new Set(rejected.map(({ artifact_id }) => artifact_id));
  const kept_broken = [...frozen].filter((id) => ids.has(id));
  return kept_broken.length === 0 ? {} : { kept_broken };
}

function preExistingOf({ lock }: DirectoryPlan, target: string): TargetReport['pre_existing'] {
  return lock.pre_existing
    .filter((row) => row.target === target)
    .map(({ path, at, id }) => ({ path, artifact_id: id, ...(at === undefined ? {} : { at }) }));
}

function claimedIn({ files, shared }: DirectoryPlan): TargetReport['claimed'] {
  const taken = files.writes.filter(({ taken_over }) => taken_over === true);
  return [
    ...taken.map(({ path }) => ({ path, claim: 'take-over' as const })),
    ...files.claimed,
    ...shared.flatMap(({ path, claimed }) => claimed.map(({ at, claim }) => ({ path, at, claim }))),
  ];
}

export function listPutBack({ files, shared }: DirectoryPlan): Pick<TargetReport, 'put_back'> {
  const put_back = [
    ...files.writes.filter((write) => write.put_back === true).map(({ path }) => ({ path })),
    ...shared.flatMap(({ path, put_back: places }) => places.map((at) => ({ path, at }))),
  ];
  return put_back.length === 0 ? {} : { put_back };
}

function movesOf({ artifacts, frozen }: TargetPlan, before: LockedArtifact[]): ArtifactMove[] {
  return listMoves(
    before.filter(({ id }) => !frozen.has(id)),
    artifacts,
  );
}

function typeOf(entry: CatalogEntry | undefined): string {
  return entry?.type ?? '';
}

interface Effects {
  changes: FileChange[];
  unchanged: number;
}

function newEffects(): Effects {
  return { changes: [], unchanged: 0 };
}

/**
 * Collects the changes per target in one pass. A change belongs to the targets that own the file, or else to the first
 * one.
 */
function effectsOf(plan: DirectoryPlan, planned: readonly TargetPlan[]): Map<string, Effects> {
  const effects = new Map(planned.map(({ locked }) => [locked.id, newEffects()]));
  const [first] = effects.values();

  function addEffect(
    { path, edited = false }: { path: string; edited?: boolean },
    change: Change,
    owners: readonly Owner[],
  ): void {
    const by = edited ? { edited } : {};
    const ours = owners.filter(({ target }) => effects.has(target));
    if (ours.length === 0) {
      first?.changes.push({ path, change, artifact_ids: idsOf(owners), ...by });
      return;
    }
    for (const target of targetsOf(ours)) {
      const artifact_ids = idsOf(ours.filter((owner) => owner.target === target));
      effects.get(target)?.changes.push({ path, change, artifact_ids, ...by });
    }
  }

  function count(owners: readonly Owner[]): void {
    for (const target of targetsOf(owners)) {
      const effect = effects.get(target);
      if (effect !== undefined) effect.unchanged += 1;
    }
  }

  const previous = previousOwners(plan.previous);
  const written = new Set<string>();
  for (const write of plan.files.writes) {
    written.add(write.path);
    addEffect(write, write.change, write.file.owners);
  }
  for (const path of plan.files.deletes) addEffect({ path }, 'removed', previous.get(path) ?? []);
  for (const shared of plan.shared) {
    const { path, entries, changed } = shared;
    if (changed)
      addEffect(shared, sharedChange(shared), [...entries, ...(previous.get(path) ?? [])]);
    else count(entries);
  }
  const user_changes = new Set(plan.files.pre_existing);
  for (const [path, file] of plan.desired.files) {
    if (!written.has(path) && !user_changes.has(path)) count(file.owners);
  }
  for (const part of planned) countFrozen(plan, part, effects);
  return effects;
}

function countFrozen(
  { lock }: DirectoryPlan,
  { locked, frozen }: TargetPlan,
  effects: ReadonlyMap<string, Effects>,
): void {
  const effect = effects.get(locked.id);
  if (effect === undefined || frozen.size === 0) return;
  const held = lock.files.filter(({ target, id }) => target === locked.id && frozen.has(id));
  effect.unchanged += new Set(held.map(({ path }) => path)).size;
}

function previousOwners({ files, entries }: LockFile): Map<string, Owner[]> {
  return Map.groupBy<string, Owner & { path: string }>([...files, ...entries], ({ path }) => path);
}

function targetsOf(owners: readonly Owner[]): Iterable<string> {
  const [only, ...others] = owners;
  if (only !== undefined && others.length === 0) return [only.target];
  return new Set(owners.map(({ target }) => target));
}

function idsOf(owners: readonly Owner[]): string[] {
  return [...new Set(owners.map(({ id }) => id))];
}

function sharedChange({ before, text }: SharedPlan): Change {
  if (text === undefined) return 'removed';
  return before === undefined ? 'added' : 'changed';
}
