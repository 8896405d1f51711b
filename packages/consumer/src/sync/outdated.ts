import { loadAdapters } from '../adapters/load-adapters.ts';
import type { Config } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import { lockedId } from '../lock/locked-id.ts';
import { loadLock } from '../lock/read-lock.ts';
import type { LockFile } from '../lock/types.ts';
import { NO_PREPARATION } from '../materialize/preparation.ts';
import type { CatalogListing, CatalogSource } from '../source/catalog-source.ts';
import { openSource } from '../source/open-source.ts';
import { listMoves } from './artifact-moves.ts';
import { listUnexpectedChanges } from './check-unexpected-changes.ts';
import type { UnexpectedChange } from './find-unexpected-changes.ts';
import { groupByDirectory } from './group-targets.ts';
import { judgeChanges } from './judge-changes.ts';
import type { TargetPlan } from './plan-directory.ts';
import { readApprovals } from '../trust/approvals-file.ts';
import { openContentPolicy } from '../trust/content-policy.ts';
import { inspectContent } from '../trust/inspect-content.ts';
import { toReported, type ReportedContent } from '../trust/inspected-content.ts';
import type { TrustOptions } from '../trust/require-trust.ts';
import { planTargets } from './plan-targets.ts';

export interface OutdatedArtifact {
  target: string;
  id: string;
  locked: string | undefined;
  /** Available version; undefined if the artifact no longer exists or is excluded. */
  available: string | undefined;
  change: 'changed' | 'new' | 'removed' | 'rewritten' | 'downgrade';
  /** Set if the change is `rewritten` or `downgrade`. */
  unexpected?: UnexpectedChange & { refused: boolean };
  executable_content?: ReportedContent['capabilities'];
}

export async function listOutdated(
  config: Config,
  options: IdentityOptions & TrustOptions = {},
  signal?: AbortSignal,
): Promise<OutdatedArtifact[]> {
  const adapters = await loadAdapters(config, options);
  const source = await openSource(config, options);
  const listing = await source.list(signal);
  const outdated: OutdatedArtifact[] = [];
  const policy = openContentPolicy(config, listing);
  const approvals = readApprovals(config.approvals_file);
  for (const [directory, targets] of groupByDirectory(config.targets)) {
    const lock = loadLock(directory);
    const planned = await planTargets(
      {
        targets,
        config,
        adapters,
        source,
        listing,
        lock,
        toggles: lock.toggles,
        preparation: NO_PREPARATION,
        policy,
        options: {},
      },
      signal,
    );
    for (const plan of planned) {
      const { locked, artifacts, delivered = [] } = plan;
      const unexpected = await judgeUnexpected(plan, lock, listing, source, signal);
      const known = lockedId(locked, lock);
      const before = lock.artifacts.filter((row) => row.target === known);
      for (const { id, from, to } of listMoves(before, artifacts)) {
        const available = delivered.find((artifact) => artifact.id === id);
        const { capabilities = [] } =
          available === undefined ? {} : toReported(inspectContent(available, policy, approvals));
        outdated.push({
          target: locked.id,
          id,
          locked: from,
          available: to,
          ...describeMove(from, to, unexpected.get(id)),
          ...(capabilities.length === 0 ? {} : { executable_content: capabilities }),
        });
      }
    }
  }
  return outdated;
}

/** Finds changes that a sync would reject, or accept only because of their status. */
async function judgeUnexpected(
  plan: TargetPlan,
  lock: LockFile,
  listing: CatalogListing,
  { listVersions }: CatalogSource,
  signal?: AbortSignal,
): Promise<Map<string, OutdatedArtifact['unexpected']>> {
  if (listVersions === undefined) return new Map();
  const changes = listUnexpectedChanges(plan, lock, listing);
  const { accepted, refused } = await judgeChanges(changes, { listVersions }, signal);
  const unexpected = new Map<string, OutdatedArtifact['unexpected']>();
  for (const change of accepted) unexpected.set(change.id, { ...change, refused: false });
  for (const change of refused) unexpected.set(change.id, { ...change, refused: true });
  return unexpected;
}

function describeMove(
  from: string | undefined,
  to: string | undefined,
  unexpected: OutdatedArtifact['unexpected'],
): Pick<OutdatedArtifact, 'change' | 'unexpected'> {
  if (unexpected !== undefined) return { change: unexpected.kind, unexpected };
  return { change: from === undefined ? 'new' : to === undefined ? 'removed' : 'changed' };
}
