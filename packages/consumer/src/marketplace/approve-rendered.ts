import type { MarketplaceTarget } from '../config/types.ts';
import type { RunContent } from '../sync/inspect-plans.ts';
import type { SyncRun } from '../sync/sync-options.ts';
import { readApprovals } from '../trust/approvals-file.ts';
import {
  adviseRepeat,
  approveContent,
  NO_CONTENT,
  type ApprovedContent,
} from '../trust/approve-content.ts';
import { openContentPolicy } from '../trust/content-policy.ts';
import { inspectContent } from '../trust/inspect-content.ts';
import { openReadFiles } from '../trust/read-by-harness.ts';
import { areTrusted, type TrustOptions } from '../trust/require-trust.ts';
import { listWorkspaceFiles } from '../trust/workspace-files.ts';
import type { PlannedMarketplace } from './render-target.ts';

export async function approveRendered(
  target: MarketplaceTarget,
  planned: PlannedMarketplace,
  run: SyncRun,
): Promise<ApprovedContent> {
  const content = await inspectRendered(target, planned, run, run.options);
  if (content === undefined) return NO_CONTENT;
  return approveContent(content, run.config, { ...run.options, adviseApproval: adviseRepeat });
}

/**
 * Lists the content that needs consent. Trust in the configuration of the marketplace is sufficient, unless a harness
 * on this machine reads the rendered files.
 */
export async function inspectRendered(
  target: MarketplaceTarget,
  { plan, artifacts, listing, files }: PlannedMarketplace,
  { config, adapters }: Pick<SyncRun, 'config' | 'adapters'>,
  { trust = false }: Pick<TrustOptions, 'trust'>,
): Promise<RunContent | undefined> {
  const policy = openContentPolicy(config, listing);
  if (policy.allows_all) return undefined;
  const causes = listWorkspaceFiles(config.files, target.origins.files);
  const isRead = openReadFiles(config, adapters)(target.directory, files) !== undefined;
  if (!isRead && (await areTrusted(causes, config, { trust }))) return undefined;
  const approvals = readApprovals(config.approvals_file);
  const delivered = artifacts
    .map((artifact) => inspectContent(artifact, policy, approvals))
    .filter(({ capabilities }) => capabilities.length > 0);
  // A document of plugins contains several artifacts, so its change counts for all of them.
  return { written: plan.files.writes.length === 0 ? [] : delivered, delivered };
}
