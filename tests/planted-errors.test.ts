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

// The programs run only on request. An error whose pattern no longer matches would go unnoticed there.
test.each(plantedErrors)('$id can still be planted for Claude Code', async ({ plant }) => {
  expect(plant(await render('claude-code'))).toBeGreaterThan(0);
});

test('the list has the six reviewed errors, twenty more and two of matchers', () => {
  expect(plantedErrors).toHaveLength(28);
  expect(new Set(plantedErrors.map(({ id }) => id)).size).toBe(28);
});
