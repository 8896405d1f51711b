import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { RegistryError } from '@catalog/sdk/registry-error';
import type { MarketplaceTarget } from '../config/types.ts';
import type { TargetReport } from '../sync/report.ts';
import type { SyncRun } from '../sync/sync-options.ts';
import { hashNamedFiles } from '../trust/named-files.ts';
import { approveByFile, requireTrust } from '../trust/require-trust.ts';
import { listWorkspaceFiles } from '../trust/workspace-files.ts';
import { listCommandLines, listWants } from './describe-command.ts';
import { previewMarketplace, runMarketplace } from './run-marketplace.ts';
import type { Workflow } from './run-workflow.ts';
import { type ChosenFormat, findFormats } from '@catalog/harness/marketplace/find-format';
import { marketProblem } from '@catalog/harness/marketplace/market-problem';
import type { KnownAdapters } from '../adapters/load-adapters.ts';
import { refuseTarget } from '../config/refuse-target.ts';

export type RunMarketplaces = (signal?: AbortSignal) => Promise<TargetReport[]>;

/**
 * Checks all marketplaces before anything runs: formats must be compatible, and the user must trust the file with the
 * commands (SPEC-47).
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
  const approved = await inOrder(chosen, async ({ target, formats }) => {
    const content = listWorkspaceFiles(config.files, target.origins.files);
    for (const file of wants.length === 0 ? [] : content) {
      if (file !== target.file) await requireTrust(config, file, wants, options);
    }
    return {
      target: await approveByFile(target, config, target.file, wants, options, scripts),
      formats,
    };
  });
  return (signal) =>
    inOrder(approved, ({ target, formats }) => {
      const { env, onLine } = surroundings;
      const workflow: Workflow = { target, env, onLine, steps: [], rendered: undefined };
      const work = (): Promise<TargetReport> => runMarketplace(workflow, formats, run, signal);
      return reportFailure(workflow, work, run, signal);
    });
}

/** Runs marketplaces one after the other, so that their commands do not overlap. */
async function inOrder<T, Result>(
  items: readonly T[],
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Reports the failure of a marketplace, so that the others still run. */
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

/** Throws if a harness cannot import a marketplace, or if the formats conflict. */
function chooseFormats(
  { id, harnesses, plugins, file }: MarketplaceTarget,
  adapters: KnownAdapters,
): ChosenFormat[] {
  const refuse = refuseTarget(id, file.path);
  const { formats, without } = findFormats(harnesses, adapters);
  const [first] = without;
  if (first !== undefined) {
    const names = without.map(({ harness }) => harness).join(', ');
    throw refuse(
      `cannot be a marketplace for ${names}: ${first.reason}`,
      `Remove ${names} from harness, and deliver to it with a workspace target.`,
      'harness',
    );
  }
  const found = marketProblem(
    id,
    plugins.map(({ name }) => name),
    formats.map(({ format }) => format),
  );
  if (found !== undefined) throw refuse(`is not a marketplace: ${found.problem}`, found.advice);
  return formats;
}
