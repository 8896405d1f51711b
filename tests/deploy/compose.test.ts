import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '@catalog/server/config/load';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { z } from 'zod';

const FILE = join(import.meta.dirname, '../../deploy/compose/compose.yaml');
const settings = z.record(z.string(), z.unknown());
const document = z.object({
  'x-registry': z.object({ environment: z.record(z.string(), z.string()) }),
  services: z.record(z.string(), settings),
});

const PASSWORDS = {
  CATALOG_PASSWORD: 'a',
  POSTGRES_PASSWORD: 'b',
  CATALOG_S3_SECRET: 'c',
};

function environment(given: Readonly<Record<string, string>>): Record<string, string> {
  const { 'x-registry': registry } = document.parse(load(readFileSync(FILE, 'utf8')));
  return Object.fromEntries(
    Object.entries(registry.environment).map(([name, value]) => [
      name,
      value.replaceAll(
        /\$\{(\w+):([-?])([^}]*)\}/g,
        (_, key: string, kind: string, other: string) => {
          if (kind === '?' && given[key] === undefined) throw new Error(other);
          return given[key] ?? other;
        },
      ),
    ]),
  );
}

function settingsOf(given: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const env = environment({ ...PASSWORDS, ...given });
  return loadSettings({ cwd: folder, home: folder, env, flags: {} }).settings;
}

test('the compose file passes valid settings to the registry, and denies all writes', () => {
  expect(settingsOf()).toMatchObject({
    bind: '0.0.0.0:8080',
    management_bind: '0.0.0.0:9090',
    'store.type': 'postgres',
    open_writes: 'deny',
  });
  expect(settingsOf({ CATALOG_OPEN_WRITES: 'allow' })).toMatchObject({ open_writes: 'allow' });
});

test('passwords in the compose file have no default', () => {
  for (const [missing, rest] of [
    ['CATALOG_PASSWORD', { CATALOG_S3_SECRET: 'c' }],
    ['CATALOG_S3_SECRET', { CATALOG_PASSWORD: 'a' }],
  ] as const) {
    expect(() => environment(rest)).toThrow(`Set ${missing}`);
  }
  const passwords = readFileSync(FILE, 'utf8').matchAll(/\$\{(\w*(?:PASSWORD|SECRET)\w*)(:.)?/g);
  const forms = [...passwords].map(([, name, form]) => `${name}${form}`);
  expect(new Set(forms)).toEqual(
    new Set(['CATALOG_PASSWORD:?', 'CATALOG_S3_SECRET:?', 'POSTGRES_PASSWORD:?']),
  );
});

/** Applies the merge keys (`<<`) of a service, which the parser leaves in place. */
function withMerged({ '<<': parent, ...own }: Record<string, unknown>): Record<string, unknown> {
  return parent === undefined ? own : { ...withMerged(settings.parse(parent)), ...own };
}

test('every service of the compose file is read-only and drops capabilities', () => {
  const { services } = document.parse(load(readFileSync(FILE, 'utf8')));
  expect(Object.keys(services).length).toBeGreaterThan(4);
  for (const [name, service] of Object.entries(services)) {
    expect(withMerged(service), name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  }
});

test('the compose file checks the host names of requests', () => {
  expect(settingsOf()).toMatchObject({
    public_url: 'http://127.0.0.1:8080',
    allowed_hosts: ['localhost'],
  });
});
