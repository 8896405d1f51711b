import { isAbsolute, relative } from 'node:path';
import type { Artifact } from '@catalog/core/artifact/types';
import { compileScope } from '@catalog/core/scope/scope-filter';
import { assignPlugins } from '@catalog/harness/marketplace/assign-plugins';
import type { ChosenFormat } from '@catalog/harness/marketplace/find-format';
import { pluginWarnings } from '@catalog/harness/marketplace/plugin-warnings';
import {
  marketplaceOwner,
  renderMarketplace,
  type MarketplaceRendering,
} from '@catalog/harness/marketplace/render-marketplace';
import type { KnownAdapters } from '../adapters/load-adapters.ts';
import type { MarketplaceTarget } from '../config/types.ts';
import { openRowOwnership } from '../lock/owns-path.ts';
import { openLocalState } from '../lock/local-state.ts';
import { requireLock } from '../lock/require-lock.ts';
import type { LockFile } from '../lock/types.ts';
import type { CatalogEntry, CatalogListing } from '../source/catalog-source.ts';
import { artifactsRejected, quoteReason } from '../sync/artifacts-rejected.ts';
import { brokenArtifacts } from '../sync/broken-artifacts.ts';
import { judgeUnexpectedChanges } from '../sync/check-unexpected-changes.ts';
import { getJournal } from '../sync/journal.ts';
import { clearInterrupted } from '../sync/leftover-files.ts';
import { planDirectory, type TargetPlan } from '../sync/plan-directory.ts';
import { refuseInside } from '../sync/refuse-feedback.ts';
import { reportDirectory } from '../sync/report-directory.ts';
import type { SkippedArtifact, TargetReport } from '../sync/report.ts';
import { gatherFacts } from '../sync/safety/gather-facts.ts';
import {
  confirmPrompts,
  checkMarketplace,
  checkRequest,
  type CheckedPlan,
} from '../sync/safety/safety-rules.ts';
import { refuseUnknownTypes } from '../sync/select-artifacts.ts';
import { isManualEntry } from '../sync/manual-entry.ts';
import type { RenderedFile } from '../trust/read-by-harness.ts';
import type { SyncRun } from '../sync/sync-options.ts';

export interface PlannedMarketplace {
  plan: CheckedPlan;
  report: TargetReport;
  plugins: MarketplaceRendering['plugins'];
  listing: CatalogListing;
  artifacts: Artifact[];
  files: RenderedFile[];
}

export async function planMarketplace(
  target: MarketplaceTarget,
  formats: readonly ChosenFormat[],
  run: SyncRun,
  signal?: AbortSignal,
): Promise<PlannedMarketplace> {
  const { config, adapters, source, options } = run;
  const { directory } = target;
  refuseInside(
    directory,
    source.registry,
    'its plugins',
    'Set `target` of the marketplace to a folder outside the registry.',
  );
  const listing = await source.list(signal);
  for (const plugin of target.plugins) refuseUnknownTypes(listing.entries, { scope: plugin });
  const isOffered = compileScope({ include: [], exclude: target.exclude, type: [] });
  const assignment = assignPlugins(listing.entries.filter(isOffered), target.plugins);
  const { plugins, unmatched } = assignment;
  const ids = plugins.flatMap(({ entries }) => entries.map(({ id }) => id));
  const loaded = new Map(
    (await source.load(ids, signal)).map((artifact) => [artifact.id, artifact]),
  );
  const rendering = renderMarketplace(
    {
      name: target.id,
      description: target.description,
      plugins: plugins.map(({ rule: { name, description }, entries }) => {
        const artifacts = entries.flatMap(({ id }) => loaded.get(id) ?? []);
        return { name, description, artifacts };
      }),
      formats,
    },
    { on_clash: config.on_clash.value },
    adapters,
  );
  const state = openLocalState(directory, config.home);
  const journal = getJournal(state);
  const rescued = options.mode === 'sync' ? clearInterrupted(state, journal) : [];
  const { lock, lock_hash, ignored, record } = requireLock(state, openRowOwnership(adapters));
  refuseBroken({ target: target.id, registry: source.registry }, listing, lock);
  checkRequest({ options: { accept_changed: options.accept_changed }, listing, lock });
  const { planned, refused: unexpected } = await judgeUnexpectedChanges(
    [toTargetPlan(target, rendering, listing, unmatched, source.registry)],
    { lock, listing, source, options },
    signal,
  );
  const made = planDirectory({
    state,
    lock,
    lock_hash,
    journal,
    index: undefined,
    targets: planned,
    isCarried: ({ target: owner }) =>
      owner !== target.id && (isManualEntry({ target: owner }) || isOfCommandLine(owner, adapters)),
    toggles: lock.toggles,
    record,
    ignored,
  });
  const viewer = await source.viewer?.(signal);
  const caller = viewer === undefined ? undefined : { registry: source.registry, viewer };
  const facts = gatherFacts({ plan: made, planned, unexpected }, run, { listing, caller });
  const { plan, questions } = checkMarketplace(facts);
  await confirmPrompts(questions);
  const [report] = reportDirectory(plan, planned, [], listing);
  if (report === undefined) throw new Error(`no report for ${target.id}`);
  report.kept.push(...rescued);
  const warnings = pluginWarnings(listing.entries, assignment);
  report.fallbacks.push(
    ...warnings.map(({ plugin, reason }) => ({ artifact_id: `plugin:${plugin}`, reason })),
  );
  return {
    plan,
    report,
    plugins: rendering.plugins,
    listing,
    artifacts: [...loaded.values()],
    files: rendering.plan.files.map(({ path, artifact_id }) => ({
      path,
      is_list: artifact_id === marketplaceOwner(target.id),
    })),
  };
}

/** Throws if an artifact is broken: plugins are published completely or not at all. */
function refuseBroken(
  { target, registry }: { target: string; registry: string },
  listing: CatalogListing,
  lock: LockFile,
): void {
  const scope = { include: [], exclude: [], type: [] };
  const broken = brokenArtifacts({ scope }, target, { listing, lock, toggles: lock.toggles });
  if (broken.size === 0) return;
  const rejected = listing.rejected.filter(({ artifact_id }) => broken.has(artifact_id));
  throw artifactsRejected(rejected.map((row) => ({ ...quoteReason(registry, row), kept: true })));
}

function isOfCommandLine(owner: string, adapters: KnownAdapters): boolean {
  return owner === 'default' || adapters.has(owner);
}

function toTargetPlan(
  { id: target, harnesses, directory }: MarketplaceTarget,
  { plan, plugins }: MarketplaceRendering,
  { entries }: CatalogListing,
  unmatched: readonly CatalogEntry[],
  registry: string,
): TargetPlan {
  const harness = harnesses.toSorted().join(',');
  const carried = new Set(plugins.flatMap(({ artifacts }) => artifacts));
  const skipped: SkippedArtifact[] = [
    ...plan.unsupported.map(({ artifact_id, harness: format, reason }) => ({
      artifact_id,
      harness: format,
      reason,
    })),
    ...unmatched.map(({ id }) => ({ artifact_id: id, harness, reason: 'no plugin includes it' })),
  ];
  return {
    locked: {
      id: target,
      registry: isAbsolute(registry) ? relative(directory, registry) || '.' : registry,
      harness,
    },
    artifacts: entries
      .filter(({ id }) => carried.has(id))
      .map(({ id, version, layer, content_hash }) => ({
        target,
        id,
        version,
        layer,
        content_hash,
      })),
    plan,
    skipped,
    frozen: new Set(),
  };
}
