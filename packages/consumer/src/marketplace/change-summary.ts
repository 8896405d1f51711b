import { statePath, writeStateFile } from '../lock/state-folder.ts';
import type { ArtifactMove } from '../sync/artifact-moves.ts';
import { changeOf } from './commit-message.ts';

/**
 * Writes what a rendering changed, for the commands that publish it, and answers the path. It lies with
 * what is this machine's business only, so that nobody commits it.
 */
export function writeChangeSummary(
  directory: string,
  output: string,
  changed: boolean,
  moves: readonly ArtifactMove[],
): string {
  const path = `${statePath(directory)}/publish-change-summary.json`;
  const artifacts = moves.map((move) => ({ ...move, change: changeOf(move) }));
  const summary = { output, changed, count: moves.length, artifacts };
  writeStateFile(path, `${JSON.stringify(summary, undefined, 2)}\n`);
  return path;
}
