import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { adapters } from '@catalog/harness/registry';

/** The harnesses whose folders are in this workspace. */
export function detectHarnesses(workspace: string): string[] {
  return [...adapters.values()]
    .filter(({ detect }) => detect.some((folder) => existsSync(join(workspace, folder))))
    .map(({ id }) => id);
}
