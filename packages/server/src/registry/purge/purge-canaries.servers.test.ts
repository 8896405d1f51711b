import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { purge } from '@catalog/contract/endpoints/purge';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { serviceSetting } from '@catalog/testkit/services';
import { openSettings } from '@catalog/testkit/varied-registry';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import type { Settings } from '../../config/settings.ts';

/** Not in the tags, because the audit log of reads keeps those of every loaded artifact. */
const CANARY = 'quokkacanary7f3';
const ARTIFACT = `---
type: rule
version: 1.0.0
description: Deploys the ${CANARY} service to production.
---
Key: ${CANARY}
`;
const CHILD = `---
type: rule
version: 2.0.0
description: Deploys the service quickly to production.
extends: ops/deploy
---
Be quick.
`;

async function publishAndPurge(settings: Settings): Promise<RegistryServer> {
  const server = await startRegistry({ settings, keep: true });
  await server.ingest({
    'ops/deploy/ARTIFACT.md': ARTIFACT,
    'ops/deploy/key.txt': CANARY,
    'ops/deploy/large.txt': `${CANARY}\n`.repeat(40_000),
    'ops/child/ARTIFACT.md': CHILD,
    'ops/other/ARTIFACT.md': CHILD.replace('extends: ops/deploy\n', ''),
  });
  await server.call(loadArtifact, { query: { id: 'ops/child' } });
  return server;
}

async function purgeDeploy(server: RegistryServer): Promise<void> {
  const { children } = await server.call(purge, {
    body: { id: 'ops/deploy', reason: 'Contains a key.' },
  });
  expect(children).toMatchObject([{ id: 'ops/child', version: '2.0.0' }]);
}

/** Counts the files below a folder that contain the canary. */
function countFiles(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files.filter(
    (file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(CANARY),
  ).length;
}

test('SQLite: the file and the objects have no copy after VACUUM', async () => {
  const settings = await openSettings('standalone');
  const server = await publishAndPurge(settings);
  const path = settings['store.sqlite_path'];
  expect(countFiles(dirname(path))).toBeGreaterThan(0);
  await purgeDeploy(server);
  await server.close();
  const database = new DatabaseSync(path);
  database.exec('VACUUM');
  database.close();
  expect(countFiles(dirname(path))).toBe(0);
});

async function countRows(settings: Settings): Promise<Record<string, number>> {
  const owner = new URL(serviceSetting('CATALOG_TEST_POSTGRES_DSN'));
  owner.pathname = new URL(settings['store.dsn'] ?? '').pathname;
  const client = new Client({ connectionString: owner.href });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of rows) {
      // `bytea` appears in hexadecimal digits.
      const found = await client.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${name} t WHERE t::text LIKE $1 OR t::text LIKE $2`,
        [`%${CANARY}%`, `%${Buffer.from(CANARY).toString('hex')}%`],
      );
      const n = found.rows[0]?.n ?? 0;
      if (n > 0) counts[name] = n;
    }
    return counts;
  } finally {
    await client.end();
  }
}

test('PostgreSQL: no row has a copy', async () => {
  const settings = await openSettings('standard');
  const server = await publishAndPurge(settings);
  expect(Object.keys(await countRows(settings))).toContain('catalog.versions');
  await purgeDeploy(server);
  expect(await countRows(settings)).toEqual({});
  await server.close();
});
