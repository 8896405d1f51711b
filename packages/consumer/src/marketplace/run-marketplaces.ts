import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ChosenFormat } from '@catalog/harness/marketplace/find-format';
import { RegistryError } from '@catalog/sdk/registry-error';
import type { MarketplaceTarget } from '../config/types.ts';
import type { TargetReport } from '../sync/report.ts';
import type { SyncRun } from '../sync/sync-options.ts';
import { hashNamedFiles } from '../trust/named-files.ts';
import { requireTrust } from '../trust/require-trust.ts';
import { chooseFormats } from './choose-formats.ts';
import { listCommandLines, listWants } from './describe-command.ts';
import { previewMarketplace, runMarketplace } from './run-marketplace.ts';
import type { Workflow } from './run-workflow.ts';

/** Runs the marketplaces of a configuration that has been checked. */
export type RunMarketplaces = (signal?: AbortSignal) => Promise<TargetReport[]>;

/**
 * Checks every marketplace before anything runs: that its formats go together, and that somebody
 * trusts the file whose commands would run (decision 47).
 */
export async function openMarketplaces(run: SyncRun): Promise<RunMarketplaces> {
  const { config, adapters, options } = run;
  const chosen = config.marketplaces.map((target) => ({
    target,
    formats: chooseFormats(target, adapters),
  }));
  const { marketplaces: surroundings } = options;
  if (surroundings === undefined) return () => Promise.resolve([]);
  const wants = config.marketplaces.flatMap(listWants);
  const [first] = config.marketplaces;
  if (options.mode === 'sync' && first !== undefined && wants.length > 0) {
    const scripts = hashNamedFiles(config.marketplaces.flatMap(listCommandLines), config);
    await requireTrust(config, first.file, wants, options, scripts);
  }
  return async (signal) => {
    const reports: TargetReport[] = [];
    for (const { target, formats } of chosen) {
      const { env, onLine } = surroundings;
      const workflow: Workflow = { target, env, onLine, steps: [], rendered: undefined };
      reports.push(await runOne(workflow, formats, run, signal));
    }
    return reports;
  };
}

/** One that fails is reported, and the others run all the same. */
async function runOne(
  workflow: Workflow,
  formats: readonly ChosenFormat[],
  run: SyncRun,
  signal?: AbortSignal,
): Promise<TargetReport> {
  const { target, steps } = workflow;
  try {
    return run.options.mode === 'sync'
      ? await runMarketplace(workflow, formats, run, signal)
      : await previewMarketplace(target, formats, run, signal);
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
