import { rmSync } from 'node:fs';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { statePath, writeStateFile } from '../lock/state-folder.ts';
import type { LockedArtifact } from '../lock/types.ts';
import { listMoves, type ArtifactMove } from '../sync/artifact-moves.ts';
import type { DirectoryPlan } from '../sync/plan-directory.ts';
import type { TargetReport } from '../sync/report.ts';

/** What is rendered and not yet published. */
export interface PendingChange {
  changed: boolean;
  moved: readonly ArtifactMove[];
}

function pendingPath(directory: string): string {
  return `${statePath(directory)}/unpublished.json`;
}

/**
 * What a rendering and those before it that nobody published come to. It is noted before anything is
 * written: a run whose publishing fails, or that is cut short, leaves its changes to the next one.
 */
export function openPending(
  { directory, previous, lock }: Pick<DirectoryPlan, 'directory' | 'previous' | 'lock'>,
  { changes, moved }: Pick<TargetReport, 'changes' | 'moved'>,
): PendingChange {
  const earlier = readPending(directory);
  if (earlier !== undefined) return { changed: true, moved: listMoves(earlier, lock.artifacts) };
  const changed = changes.length > 0;
  if (changed) writeStateFile(pendingPath(directory), JSON.stringify(previous.artifacts));
  return { changed, moved };
}

/** Everything is published. */
export function clearPending(directory: string): void {
  rmSync(pendingPath(directory), { force: true });
}

/** The artifacts as they were published last; undefined where nothing waits. */
function readPending(directory: string): LockedArtifact[] | undefined {
  try {
    const rows: unknown = JSON.parse(
      readRegularFile(pendingPath(directory), MAX_RECORD_BYTES).toString('utf8'),
    );
    return Array.isArray(rows) ? rows : undefined;
  } catch {
    return undefined; // none, or cut short: what was rendered is published with the next change
  }
}
