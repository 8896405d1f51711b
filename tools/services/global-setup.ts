import { join, relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { provideServers } from './provide-servers.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Test files below these never talk to a server of another make. */
const NEED_NONE =
  /^(?:packages\/(?:contract|core|harness|sdk|web)|tools(?!\/services)|tests\/architecture)\b/;

/** Runs before the tests: starts the servers nobody has started, and stops those after. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  // Another tree that only borrows the configuration.
  if (project.config.root !== ROOT) return undefined;
  const files = project.vitest.state.getPaths().map((path) => relative(project.config.root, path));
  if (files.every((file) => NEED_NONE.test(file))) return undefined;
  if (process.platform === 'win32') {
    process.stderr.write(
      'The servers of the tests do not run on Windows: tests that need one fail.\n',
    );
    return undefined;
  }
  return provideServers();
}
