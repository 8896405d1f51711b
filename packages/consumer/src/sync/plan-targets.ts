import { isAbsolute, relative } from 'node:path';
import { loadAdapter } from '@catalog/harness/registry';
import type { Config, ResolvedTarget } from '../config/types.ts';
import type { LockedTarget, LockFile, Toggles } from '../lock/types.ts';
import type { CatalogEntry, CatalogListing, CatalogSource } from '../source/catalog-source.ts';
import type { TargetPlan } from './plan-directory.ts';
import { refuseFeedback } from './refuse-feedback.ts';
import { planTarget, selectEntries } from './select-artifacts.ts';

interface PlanTargetsInput {
  targets: readonly ResolvedTarget[];
  config: Config;
  source: CatalogSource;
  listing: CatalogListing;
  lock: LockFile;
  toggles: Toggles;
  update: readonly string[] | undefined;
}

/** Plans each target of one folder by itself: what it selects, and what its harness makes of it. */
export async function planTargets(
  input: PlanTargetsInput,
  signal?: AbortSignal,
): Promise<TargetPlan[]> {
  const plans: TargetPlan[] = [];
  for (const target of input.targets) {
    const adapter = loadAdapter(target.harness);
    refuseFeedback(target, adapter, input.source.registry);
    const { selected, frozen } = narrowToUpdate(
      selectEntries(input.listing.entries, target, input.toggles),
      target.id,
      input,
    );
    const artifacts = await input.source.load(
      selected.map((entry) => entry.id),
      signal,
    );
    const { plan, skipped } = planTarget(artifacts, adapter, {
      on_clash: input.config.on_clash.value,
      unsupported: input.config.unsupported.value,
    });
    const left_out = new Set([
      ...plan.left_out.map((item) => item.artifact_id),
      ...skipped.map((item) => item.artifact_id),
    ]);
    plans.push({
      locked: toLockedTarget(target, input.source.registry),
      artifacts: selected
        .filter((entry) => !left_out.has(entry.id))
        .map(({ id, version, layer, content_hash }) => ({
          target: target.id,
          id,
          version,
          layer,
          content_hash,
        })),
      plan,
      skipped,
      frozen,
    });
  }
  return plans;
}

/** Of a selection, what an update of some ids may deliver; the rest stays as the lock has it. */
function narrowToUpdate(
  selected: CatalogEntry[],
  target: string,
  { update, lock }: PlanTargetsInput,
): { selected: CatalogEntry[]; frozen: Set<string> } {
  if (update === undefined) return { selected, frozen: new Set() };
  const named = new Set(update);
  const locked = new Map(
    lock.artifacts.filter((row) => row.target === target).map((row) => [row.id, row.content_hash]),
  );
  const deliverable = selected.filter(
    (entry) => named.has(entry.id) || locked.get(entry.id) === entry.content_hash,
  );
  const delivered = new Set(deliverable.map((entry) => entry.id));
  const frozen = [...locked.keys()].filter((id) => !named.has(id) && !delivered.has(id));
  return { selected: deliverable, frozen: new Set(frozen) };
}

/** A folder registry is named relative to the target, so that a committed lock says the same everywhere. */
function toLockedTarget(target: ResolvedTarget, registry: string): LockedTarget {
  const { id, harness, profile, directory } = target;
  return {
    id,
    registry: isAbsolute(registry) ? relative(directory, registry) || '.' : registry,
    harness,
    ...(profile === undefined ? {} : { profile }),
  };
}
