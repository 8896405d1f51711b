import { isAbsolute, relative } from 'node:path';
import type { Artifact } from '@catalog/core/artifact/types';
import { parentPath } from '@catalog/core/text/slash-path';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { scaleToContext } from '@catalog/harness/budget/listing-budget';
import { listEntries } from '@catalog/harness/budget/list-entries';
import { measureListing, type ListingUse } from '@catalog/harness/budget/measure-listing';
import type { ExistingSkillFolders } from '@catalog/harness/plan';
import type { Plan } from '@catalog/harness/planned';
import { loadAdapter } from '@catalog/harness/registry';
import type { KnownAdapters } from '../adapters/load-adapters.ts';
import type { Config, ResolvedTarget } from '../config/types.ts';
import { isLoadedBy } from '../lock/loaded-owner.ts';
import { lockedId } from '../lock/locked-id.ts';
import type { LockedTarget, LockFile, Toggles } from '../lock/types.ts';
import { planPrepared } from '../materialize/plan-prepared.ts';
import type { Preparation } from '../materialize/preparation.ts';
import type { CatalogEntry, CatalogListing, CatalogSource } from '../source/catalog-source.ts';
import { brokenArtifacts } from './broken-artifacts.ts';
import { keepsLoaded } from './keep-loaded.ts';
import { toDenied, type DeniedArtifact } from '../trust/approve-content.ts';
import type { ContentPolicy } from '../trust/content-policy.ts';
import { denial } from '../trust/inspected-content.ts';
import type { TargetPlan } from './plan-directory.ts';
import { idleTargets } from './idle-targets.ts';
import { refuseTargetInRegistry } from './refuse-feedback.ts';
import { rulesImports } from './rules-imports.ts';
import type { SyncOptions } from './sync-options.ts';
import { selectEntries } from './select-artifacts.ts';
import { userSettings } from './user-settings.ts';

interface PlanTargetsInput {
  targets: readonly ResolvedTarget[];
  config: Config;
  adapters: KnownAdapters;
  source: CatalogSource;
  listing: CatalogListing;
  lock: LockFile;
  toggles: Toggles;
  preparation: Preparation;
  policy: ContentPolicy;
  options: Pick<SyncOptions, 'update' | 'context_tokens' | 'release'>;
}

interface Selection {
  target: ResolvedTarget;
  adapter: HarnessAdapter;
  selected: CatalogEntry[];
  /** Artifacts that stay unchanged, because an update named other ids or they can no longer be read. */
  frozen: ReadonlySet<string>;
}

/** Plans all targets of one folder. */
export async function planTargets(
  input: PlanTargetsInput,
  signal?: AbortSignal,
): Promise<TargetPlan[]> {
  const { config, source } = input;
  const wanted = input.targets.map((target) => select(target, input));
  const ids = new Set(wanted.flatMap(({ selected }) => selected.map(({ id }) => id)));
  const loaded = new Map(
    (await source.load([...ids], signal)).map((artifact) => [artifact.id, artifact]),
  );
  const denied = await findDenied([...loaded.values()], input.policy);
  const selections = wanted.map((selection) => ({
    ...selection,
    selected: selection.selected.filter(({ id }) => !denied.has(id)),
    denied: selection.selected.flatMap(({ id }) => denied.get(id) ?? []),
  }));
  const requests = selections.map(({ target, adapter, selected }) => ({
    adapter,
    rule_fallback: target.rule_fallback,
    settings: userSettings(adapter, target.directory, config.home),
    artifacts: selected.flatMap(({ id }) => loaded.get(id) ?? []),
  }));
  const isIdle = idleTargets(config);
  const prepared = await planPrepared(
    requests,
    {
      preparation: input.preparation,
      held: heldSkills(input, selections),
      on_clash: config.on_clash.value,
      unsupported: config.unsupported.value,
      rules_imports: rulesImports(selections),
      has_other_targets: input.lock.targets.some(({ id }) => isIdle(id)),
    },
    signal,
  );
  return selections.flatMap((selection, index) => {
    const made = prepared[index];
    if (made === undefined) return [];
    const { plan, delivered } = made;
    const { denied: left_out } = selection;
    const budget = budgetOf(selection, plan, loaded, input.options.context_tokens);
    const target = toTargetPlan(selection, plan, source.registry);
    return [{ ...target, budget, delivered, denied: left_out }];
  });
}

async function findDenied(
  artifacts: readonly Artifact[],
  policy: ContentPolicy,
): Promise<Map<string, DeniedArtifact>> {
  if (policy.allows_all) return new Map();
  const { inspectContent } = await import('../trust/inspect-content.ts');
  return new Map(
    artifacts.flatMap((artifact) => {
      const inspected = inspectContent(artifact, policy, new Map());
      const decision = denial(inspected);
      return decision === undefined ? [] : [[artifact.id, toDenied(inspected, decision)]];
    }),
  );
}

/** Estimates the size of the skill listing, without artifacts that stay unchanged. */
function budgetOf(
  { target, adapter, selected, frozen }: Selection,
  { files }: Plan,
  loaded: ReadonlyMap<string, Artifact>,
  context_tokens: number | undefined,
): ListingUse | undefined {
  if (adapter.budget === undefined || frozen.size > 0) return undefined;
  const budget =
    context_tokens === undefined ? adapter.budget : scaleToContext(adapter.budget, context_tokens);
  const artifacts = selected.flatMap(({ id }) => loaded.get(id) ?? []);
  return measureListing(budget, listEntries(budget, artifacts, files, target.directory));
}

function select(target: ResolvedTarget, input: PlanTargetsInput): Selection {
  const { scope } = input.config;
  const adapter = loadAdapter(target.harness, scope, input.adapters, process.platform);
  refuseTargetInRegistry(target, adapter, input.source.registry);
  const entries = selectEntries(input.listing.entries, target, input.toggles);
  const known = lockedId(target, input.lock);
  const broken = brokenArtifacts(target, known, input);
  const readable = entries.filter(({ id }) => !broken.has(id));
  const { selected, frozen } = narrowToUpdate(readable, known, input);
  return { target, adapter, selected, frozen: new Set([...frozen, ...broken]) };
}

function narrowToUpdate(
  selected: CatalogEntry[],
  target: string,
  { options: { update }, lock }: PlanTargetsInput,
): Pick<Selection, 'selected' | 'frozen'> {
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

const SKILL_FILE = '/SKILL.md';

/** Returns skills of other targets that a harness may read too. */
function heldSkills(
  { lock, config, options }: PlanTargetsInput,
  selections: Selection[],
): ExistingSkillFolders {
  const frozen = new Map(
    selections.map(({ target, frozen: ids }) => [lockedId(target, lock), ids]),
  );
  const isIdle = idleTargets(config);
  const isKept = keepsLoaded(
    lock,
    selections.map(({ adapter, selected }) => ({ harness: adapter.id, artifacts: selected })),
    options.release,
  );
  const held = new Map<string, string[]>();
  for (const { path, target, id } of [...lock.files, ...lock.pre_existing]) {
    if (!path.endsWith(SKILL_FILE)) continue;
    const stays = isLoadedBy(target)
      ? isKept({ target, id })
      : isIdle(target) || frozen.get(target)?.has(id) === true;
    if (!stays) continue;
    held.set(id, [...(held.get(id) ?? []), parentPath(path)]);
  }
  return held;
}

function toTargetPlan(
  { target, adapter, selected, frozen }: Selection,
  plan: Plan,
  registry: string,
): TargetPlan {
  const skipped = [
    ...plan.unsupported,
    ...plan.left_out.filter(({ reported }) => reported === true),
  ].map(({ artifact_id, reason }) => ({ artifact_id, harness: adapter.id, reason }));
  const left_out = new Set(
    [...plan.left_out, ...plan.unsupported].map(({ artifact_id }) => artifact_id),
  );
  return {
    locked: toLockedTarget(target, registry),
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
  };
}

/**
 * Converts a target for the lock. A folder registry becomes relative, so that the lock is the same on every machine.
 */
function toLockedTarget(target: ResolvedTarget, registry: string): LockedTarget {
  const { id, harness, profile, directory } = target;
  return {
    id,
    registry: isAbsolute(registry) ? relative(directory, registry) || '.' : registry,
    harness,
    ...(profile === undefined ? {} : { profile }),
  };
}
