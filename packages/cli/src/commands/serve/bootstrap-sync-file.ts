import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatSyncFile, STANDALONE_REGISTRY } from '../sync-file-text.ts';
import { writeNewFile } from '../write-new-file.ts';

/**
 * Points the other commands at the registry on this machine, the first time one runs here (CLI-10). A
 * file that is there is somebody's and stays as it is (SPEC-44); a registry at another address
 * than the usual one writes nothing, because it may be gone tomorrow. Answers the file it wrote.
 */
export function bootstrapSyncFile(home: string, url: string): string | undefined {
  const path = join(home, '.catalog/sync.yaml');
  if (url !== STANDALONE_REGISTRY || existsSync(path)) return undefined;
  writeNewFile({ path, text: formatSyncFile({ registry: STANDALONE_REGISTRY }) }, false);
  return path;
}
