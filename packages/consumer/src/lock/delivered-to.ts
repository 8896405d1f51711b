import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { statePath, writeStateFile } from './state-folder.ts';

/** The caller of a delivery: kept on this machine only, never in the lock (SPEC-73). */
export interface Caller {
  registry: string;
  viewer: string;
}

function recordPath(directory: string): string {
  return `${statePath(directory)}/delivered-to.json`;
}

/** The viewer of the last delivery from a registry; undefined if it is not known. */
export function getLastViewer(directory: string, registry: string): string | undefined {
  try {
    const file = readRegularFile(recordPath(directory), MAX_TEXT_BYTES);
    const record: Caller = JSON.parse(file.toString('utf8'));
    return record.registry === registry && typeof record.viewer === 'string'
      ? record.viewer
      : undefined;
  } catch {
    return undefined;
  }
}

/** Records the caller of a delivery. */
export function rememberCaller(directory: string, { registry, viewer }: Caller): void {
  if (getLastViewer(directory, registry) === viewer) return;
  writeStateFile(recordPath(directory), `${JSON.stringify({ registry, viewer })}\n`);
}
