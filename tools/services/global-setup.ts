import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { useMemoryFolder } from './memory-folder.ts';
import { provideServers } from './provide-servers.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The suffixes of test files that need servers. */
const NEEDS_SERVERS = /\.(?:servers|e2e)\.test\.ts$/;

/** Runs before the tests: starts the servers that are missing, and stops those afterwards. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  // Another tree that only borrows the configuration.
  if (project.config.root !== ROOT) return undefined;
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
  return provideServers();
}
