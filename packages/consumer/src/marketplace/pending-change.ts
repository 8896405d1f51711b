import type { LocalState } from '../lock/local-state.ts';
import type { LockedArtifact } from '../lock/types.ts';
import { listMoves, type ArtifactMove } from '../sync/artifact-moves.ts';
import type { DirectoryPlan } from '../sync/plan-directory.ts';
import type { TargetReport } from '../sync/report.ts';

export interface PendingChange {
  changed: boolean;
  moved: readonly ArtifactMove[];
}

const NAME = 'unpublished.json';

/**
 * Combines the changes with earlier unpublished ones, and records them before files are written. After a failure or an
 * interruption, the next run publishes them.
 */
export function openPending(
  { state, previous, lock }: Pick<DirectoryPlan, 'state' | 'previous' | 'lock'>,
  { changes, moved }: Pick<TargetReport, 'changes' | 'moved'>,
): PendingChange {
  const earlier = readPending(state);
  if (earlier !== undefined) return { changed: true, moved: listMoves(earlier, lock.artifacts) };
  const changed = changes.length > 0;
  if (changed) state.write(NAME, JSON.stringify(previous.artifacts));
  return { changed, moved };
}

export function clearPending(state: LocalState): void {
  state.remove(NAME);
}

function readPending(state: LocalState): LockedArtifact[] | undefined {
  try {
    const rows: unknown = JSON.parse(state.read(NAME)?.toString('utf8') ?? '');
    return Array.isArray(rows) ? rows : undefined;
  } catch {
    return undefined; // missing or truncated: the changes are published with the next one
  }
}
