import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { RegistryError } from '@catalog/sdk/registry-error';
import type { MarketplaceTarget } from '../config/types.ts';
import type { TargetReport } from '../sync/report.ts';
import type { SyncRun } from '../sync/sync-options.ts';
import { hashNamedFiles } from '../trust/named-files.ts';
import { approveByFile } from '../trust/require-trust.ts';
import { chooseFormats } from './choose-formats.ts';
import { listCommandLines, listWants } from './describe-command.ts';
import { previewMarketplace, runMarketplace } from './run-marketplace.ts';
import type { Workflow } from './run-workflow.ts';

/** Runs the marketplaces of a configuration that has been checked. */
export type RunMarketplaces = (signal?: AbortSignal) => Promise<TargetReport[]>;

/**
 * Checks every marketplace before anything runs: that its formats go together, and that somebody
 * trusts the file whose commands would run (SPEC-47).
 */
export async function openMarketplaces(run: SyncRun): Promise<RunMarketplaces> {
  const { config, adapters, options } = run;
  const chosen = config.marketplaces.map((target) => ({
    target,
    formats: chooseFormats(target, adapters),
  }));
  const { marketplaces: surroundings } = options;
  if (surroundings === undefined) return () => Promise.resolve([]);
  if (options.mode !== 'sync') {
    return (signal) =>
      inOrder(chosen, ({ target, formats }) => {
        const preview = (): Promise<TargetReport> =>
          previewMarketplace(target, formats, run, signal);
        return reportFailure({ target, steps: [], rendered: undefined }, preview, run, signal);
      });
  }
  const wants = config.marketplaces.flatMap(listWants);
  const scripts = hashNamedFiles(config.marketplaces.flatMap(listCommandLines), config);
  const approved = await inOrder(chosen, async ({ target, formats }) => ({
    target: await approveByFile(target, config, target.file, wants, options, scripts),
    formats,
  }));
  return (signal) =>
    inOrder(approved, ({ target, formats }) => {
      const { env, onLine } = surroundings;
      const workflow: Workflow = { target, env, onLine, steps: [], rendered: undefined };
      const work = (): Promise<TargetReport> => runMarketplace(workflow, formats, run, signal);
      return reportFailure(workflow, work, run, signal);
    });
}

/** One after the other: their commands may not run at the same time. */
async function inOrder<T, Result>(
  items: readonly T[],
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** One that fails is reported, and the others run all the same. */
async function reportFailure(
  workflow: { target: MarketplaceTarget } & Pick<Workflow, 'steps' | 'rendered'>,
  work: () => Promise<TargetReport>,
  run: SyncRun,
  signal?: AbortSignal,
): Promise<TargetReport> {
  const { target, steps } = workflow;
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (!(error instanceof CatalogError) && !(error instanceof RegistryError)) throw error;
    const { rendered = failedReport(target, run.source.registry) } = workflow;
    const { plugins = [] } = rendered.marketplace ?? {};
    return { ...rendered, marketplace: { plugins, steps }, error: error.toEnvelope() };
  }
}

function failedReport(
  { id, directory, harnesses }: MarketplaceTarget,
  registry: string,
): TargetReport {
  return {
    target: id,
    directory,
    registry,
    harness: harnesses.toSorted().join(','),
    profile: undefined,
    artifacts: [],
    moved: [],
    changes: [],
    unchanged: 0,
    skipped: [],
    rejected: [],
    fallbacks: [],
    warnings: [],
    pre_existing: [],
    claimed: [],
    kept: [],
  };
}
