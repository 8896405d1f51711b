import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '@catalog/server/config/load';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { z } from 'zod';

const FILE = join(import.meta.dirname, '../../deploy/compose/compose.yaml');
const document = z.object({
  'x-registry': z.object({ environment: z.record(z.string(), z.string()) }),
});

/** The environment of a process, as compose makes it on a machine where these variables are set. */
function environment(given: Readonly<Record<string, string>>): Record<string, string> {
  const { 'x-registry': registry } = document.parse(load(readFileSync(FILE, 'utf8')));
  return Object.fromEntries(
    Object.entries(registry.environment).map(([name, value]) => [
      name,
      value.replaceAll(
        /\$\{(\w+):-([^}]*)\}/g,
        (_, key: string, other: string) => given[key] ?? other,
      ),
    ]),
  );
}

function settingsOf(given: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const env = environment(given);
  return loadSettings({ cwd: folder, home: folder, env, flags: {} }).settings;
}

test('the compose file gives the registry settings it accepts, and lets nobody write', () => {
  expect(settingsOf()).toMatchObject({
    bind: '0.0.0.0:8080',
    management_bind: '0.0.0.0:9090',
    'store.type': 'postgres',
    open_writes: 'deny',
  });
  expect(settingsOf({ CATALOG_OPEN_WRITES: 'allow' })).toMatchObject({ open_writes: 'allow' });
});
