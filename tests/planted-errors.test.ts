import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { runSync } from '@catalog/consumer/sync/run-sync';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { plantedErrors } from './fixtures/harness-programs/planted-errors.ts';

const REGISTRY = join(import.meta.dirname, 'fixtures/harness-programs/content');

/** Renders the fixture as `./dev harness-programs --planted` does. */
async function render(harness: string): Promise<string> {
  const root = temporaryFolder();
  const cwd = join(root, 'work');
  mkdirSync(cwd);
  const flags = { registry: REGISTRY, harness, unsupported: 'skip' } as const;
  const config = loadConfig({ cwd, home: join(root, 'home'), env: {}, flags });
  await runSync(config, { mode: 'sync' });
  return cwd;
}

/** Harnesses whose programs run, in the order in which an error is tried. */
const HARNESSES = ['claude-code', 'opencode', 'gemini-cli', 'codex'];

// The programs run only on request. An error whose pattern no longer matches would go unnoticed there.
test.each(plantedErrors)('$id can still be planted', async ({ plant }) => {
  for (const harness of HARNESSES) if (plant(await render(harness)) > 0) return;
  expect.unreachable(`no file changed for ${HARNESSES.join(', ')}`);
});

test('the list has the six reviewed errors, 22 more, and 29 of the second list', () => {
  expect(plantedErrors).toHaveLength(57);
  expect(new Set(plantedErrors.map(({ id }) => id)).size).toBe(57);
});
