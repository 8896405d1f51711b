import type { LocalState } from '../lock/local-state.ts';
import type { LockedArtifact } from '../lock/types.ts';
import { listMoves, type ArtifactMove } from '../sync/artifact-moves.ts';
import type { DirectoryPlan } from '../sync/plan-directory.ts';
import type { TargetReport } from '../sync/report.ts';

/** What is rendered and not yet published. */
export interface PendingChange {
  changed: boolean;
  moved: readonly ArtifactMove[];
}

const NAME = 'unpublished.json';

/**
 * What a rendering and those before it that nobody published come to. It is noted before anything is
 * written: a run whose publishing fails, or that is cut short, leaves its changes to the next one.
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

/** Everything is published. */
export function clearPending(state: LocalState): void {
  state.remove(NAME);
}

/** The artifacts as they were published last; undefined where nothing waits. */
function readPending(state: LocalState): LockedArtifact[] | undefined {
  try {
    const rows: unknown = JSON.parse(state.read(NAME)?.toString('utf8') ?? '');
    return Array.isArray(rows) ? rows : undefined;
  } catch {
    return undefined; // none, or cut short: what was rendered is published with the next change
  }
}
