import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { runSync } from '@catalog/consumer/sync/run-sync';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { plantedErrors } from './fixtures/harness-programs/planted-errors.ts';

const REGISTRY = join(import.meta.dirname, 'fixtures/harness-programs/content');

/** Renders the fixture like `./dev harness-programs --planted`. */
async function render(harness: string): Promise<string> {
  const root = temporaryFolder();
  const cwd = join(root, 'work');
  mkdirSync(cwd);
  const flags = { registry: REGISTRY, harness, unsupported: 'skip' } as const;
  const config = loadConfig({ cwd, home: join(root, 'home'), env: {}, flags });
  await runSync(config, { mode: 'sync' });
  return cwd;
}

/** Harnesses whose programs run, in the order of the attempts. */
const HARNESSES = ['claude-code', 'opencode', 'gemini-cli', 'codex'];

// The programs only run on request, where an error with an outdated pattern would have no effect
// and go unnoticed.
test.each(plantedErrors)('$id can still be planted', async ({ plant }) => {
  for (const harness of HARNESSES) if (plant(await render(harness)) > 0) return;
  expect.unreachable(`no file changed for ${HARNESSES.join(', ')}`);
});

test('the list has the six reviewed errors, 22 more, and 29 errors of the second list', () => {
  expect(plantedErrors).toHaveLength(57);
  expect(new Set(plantedErrors.map(({ id }) => id)).size).toBe(57);
});
