import type { Config } from '../config/types.ts';
import { loadLock } from '../lock/read-lock.ts';
import { openSource } from '../source/open-source.ts';
import { groupByDirectory } from './group-targets.ts';
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
  signal?: AbortSignal,
): Promise<OutdatedArtifact[]> {
  const source = openSource(config);
  const listing = await source.list(signal);
  const outdated: OutdatedArtifact[] = [];
  for (const [directory, targets] of groupByDirectory(config.targets)) {
    const lock = loadLock(directory);
    const planned = await planTargets(
      { targets, config, source, listing, lock, toggles: lock.toggles, update: undefined },
      signal,
    );
    for (const { locked, artifacts } of planned) {
      const before = new Map(
        lock.artifacts.filter((row) => row.target === locked.id).map((row) => [row.id, row]),
      );
      for (const row of artifacts) {
        const old = before.get(row.id);
        before.delete(row.id);
        if (old?.content_hash === row.content_hash) continue;
        outdated.push({
          target: locked.id,
          id: row.id,
          locked: old?.version,
          available: row.version,
          change: old === undefined ? 'new' : 'changed',
        });
      }
      for (const old of before.values()) {
        outdated.push({
          target: locked.id,
          id: old.id,
          locked: old.version,
          available: undefined,
          change: 'removed',
        });
      }
    }
  }
  return outdated;
}
