import { loadAdapters } from '../adapters/load-adapters.ts';
import type { Config } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import { lockedId } from '../lock/locked-id.ts';
import { loadLock } from '../lock/read-lock.ts';
import { NO_PREPARATION } from '../materialize/preparation.ts';
import { openSource } from '../source/open-source.ts';
import { listMoves } from './artifact-moves.ts';
import { groupByDirectory } from './group-targets.ts';
import type { TrustOptions } from '../trust/require-trust.ts';
import { planTargets } from './plan-targets.ts';

/** One artifact whose delivered state is not the registry's. */
export interface OutdatedArtifact {
  target: string;
  id: string;
  /** Undefined for one not delivered yet. */
  locked: string | undefined;
  /** Undefined for one the registry no longer has, or no longer selects. */
  available: string | undefined;
  change: 'changed' | 'new' | 'removed';
}

/** Compares the locks of a configuration with the registry, artifact by artifact. Writes nothing. */
export async function listOutdated(
  config: Config,
  options: IdentityOptions & TrustOptions = {},
  signal?: AbortSignal,
): Promise<OutdatedArtifact[]> {
  const adapters = await loadAdapters(config, options);
  const source = await openSource(config, options);
  const listing = await source.list(signal);
  const outdated: OutdatedArtifact[] = [];
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
        options: {},
      },
      signal,
    );
    for (const { locked, artifacts } of planned) {
      const known = lockedId(locked, lock);
      const before = lock.artifacts.filter((row) => row.target === known);
      for (const { id, from, to } of listMoves(before, artifacts)) {
        outdated.push({
          target: locked.id,
          id,
          locked: from,
          available: to,
          change: from === undefined ? 'new' : to === undefined ? 'removed' : 'changed',
        });
      }
    }
  }
  return outdated;
}
