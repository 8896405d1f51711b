import { join } from 'node:path';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { installedProgram } from '../../packages/testkit/src/packed-program.ts';
import { hasMemoryFor, MEMORY } from './memory-folder.ts';
import { provideServers } from './provide-servers.ts';

const ROOT = join(import.meta.dirname, '../..');
const NEEDS_PROGRAM = /\.e2e\.test\.ts$/;
const NEEDS_SERVERS = /\.(?:servers|e2e)\.test\.ts$/;

/** The returned function stops the servers that this one started. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  // Another tree uses this configuration, as in a trial of `./dev mutate`.
  if (project.config.root !== ROOT) return undefined;
  // Takes up to a minute, so it must not count toward the time limit of the first test.
  if (project.vitest.state.getPaths().some((file) => NEEDS_PROGRAM.test(file))) installedProgram();
  const removeFolder = useMemoryFolder();
  const stopServers = await setUpServers(project);
  return async () => {
    removeFolder();
    await stopServers?.();
  };
}

async function setUpServers(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const isStandard = process.env['CATALOG_TEST_BACKEND'] === 'standard';
  const files = project.vitest.state.getPaths();
  if (!isStandard && !files.some((file) => NEEDS_SERVERS.test(file))) return undefined;
  if (process.platform === 'win32') {
    process.stderr.write(
      'The servers of the tests do not run on Windows: tests that need one fail.\n',
    );
    return undefined;
  }
  return provideServers({ in_memory: true });
}

const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * A test that syncs or ingests otherwise waits for the disk hundreds of times. Keeps an explicit
 * `TMPDIR`. Returns a function that removes the folder.
 */
function useMemoryFolder(): () => void {
  if (process.env['TMPDIR'] !== undefined || !hasMemoryFor(MIN_FREE_BYTES)) return () => undefined;
  const folder = mkdtempSync(`${MEMORY}/catalog-`);
  // PostgreSQL runs as another user and must be able to enter.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return () => {
    delete process.env['TMPDIR'];
    rmSync(folder, { recursive: true, force: true });
  };
}
