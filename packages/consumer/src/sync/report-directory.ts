import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import type { ResolvedTarget } from '../config/types.ts';
import type { LockedFile } from '../lock/types.ts';
import type { CatalogEntry, CatalogListing } from '../source/catalog-source.ts';
import type { DirectoryPlan, TargetPlan } from './plan-directory.ts';
import type { FileChange, TargetReport } from './report.ts';
import type { SharedPlan } from './shared-files.ts';

const FALLBACK_CODE = 'lint.harness_capability';

/** What a plan means for each target of its folder. */
export function reportDirectory(
  plan: DirectoryPlan,
  planned: readonly TargetPlan[],
  targets: readonly ResolvedTarget[],
  listing: CatalogListing,
): TargetReport[] {
  const entries = new Map(listing.entries.map((entry) => [entry.id, entry]));
  const previous = Map.groupBy(plan.previous.files, (row) => row.path);
  return planned.map((part, position) => {
    const target = targets[position];
    const changes = changesOf(plan, previous, part.locked.id, position === 0);
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
      changes,
      unchanged: unchangedOf(plan, part.locked.id),
      skipped: part.skipped,
      rejected: listing.rejected,
      warnings: [...listing.advisories, ...fallbackWarnings(part, listing)],
      kept: [],
    };
  });
}

/** What the harness takes otherwise than authored; lint says it already where the artifact names the harness. */
function fallbackWarnings(part: TargetPlan, listing: CatalogListing): Diagnostic[] {
  const told = new Set(
    listing.advisories.filter(({ code }) => code === FALLBACK_CODE).map((row) => row.artifact_id),
  );
  const layers = new Map(part.artifacts.map(({ id, layer }) => [id, layer]));
  return part.plan.fallbacks
    .filter(({ artifact_id }) => !told.has(artifact_id))
    .map(({ artifact_id, reason }) => ({
      code: FALLBACK_CODE,
      severity: 'warning',
      message: `On ${part.locked.harness}: ${reason}.`,
      fix: 'Leave the harness out with target_harnesses if that is not what you want.',
      artifact_id,
      layer: layers.get(artifact_id) ?? '',
      file: `${artifact_id}/ARTIFACT.md`,
      line: 1,
      column: 1,
    }));
}

function typeOf(entry: CatalogEntry | undefined): string {
  return entry?.type ?? '';
}

/** A change belongs to the target that owns the file; what nobody running owns is told by the first. */
function changesOf(
  plan: DirectoryPlan,
  previous: ReadonlyMap<string, LockedFile[]>,
  target: string,
  isFirst: boolean,
): FileChange[] {
  const changes: FileChange[] = [];
  for (const { path, file, change } of plan.files.writes) {
    const ids = file.owners.filter((owner) => owner.target === target).map((owner) => owner.id);
    if (ids.length > 0) changes.push({ path, change, artifact_ids: ids });
  }
  const running = new Set(plan.lock.targets.map(({ id }) => id));
  for (const path of plan.files.deletes) {
    const rows = previous.get(path) ?? [];
    const mine = rows.filter((row) => row.target === target);
    const orphaned = isFirst && !rows.some((row) => running.has(row.target));
    if (mine.length > 0 || orphaned) {
      changes.push({ path, change: 'removed', artifact_ids: mine.map((row) => row.id) });
    }
  }
  for (const shared of plan.shared) {
    if (!shared.changed) continue;
    const ids = shared.entries.filter((entry) => entry.target === target).map((entry) => entry.id);
    if (ids.length > 0 || isFirst) {
      changes.push({ path: shared.path, change: sharedChange(shared), artifact_ids: ids });
    }
  }
  return changes;
}

function sharedChange({ before, text }: SharedPlan): FileChange['change'] {
  if (text === undefined) return 'removed';
  return before === undefined ? 'added' : 'changed';
}

function unchangedOf(plan: DirectoryPlan, target: string): number {
  const written = new Set(plan.files.writes.map(({ path }) => path));
  let count = 0;
  for (const [path, file] of plan.desired.files) {
    if (!written.has(path) && file.owners.some((owner) => owner.target === target)) count += 1;
  }
  const untouched = plan.shared.filter(
    ({ changed, entries }) => !changed && entries.some((entry) => entry.target === target),
  );
  return count + untouched.length;
}
