import { DatabaseSync } from 'node:sqlite';
import { isBackedUp, listPlainTables } from '@catalog/core/ports/plain-tables';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openSettings, startVariedRegistry } from '@catalog/testkit/varied-registry';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { backUp, restore } from './compose-operations.ts';
import type { Settings } from './config/settings.ts';
import type { OperationHooks } from './operations/operation-hooks.ts';

const hooks: OperationHooks = { report: () => undefined, signal: new AbortController().signal };

/** Tables that backups omit: their rows expire within days or describe only this store. */
const NOT_BACKED_UP = [
  'migrations',
  'quota_leases',
  'sessions',
  ...listPlainTables().flatMap((name) => (isBackedUp(name) ? [] : [name])),
];
/** Vectors and the type of the search index, which a restored registry creates itself. */
const REBUILT_BY_REGISTRY = /^(domain_vectors|embedding_|search_indexing|vector|waiting_texts)/;
/** Tables derived for layers that share ids, which these layers do not. */
const DERIVED = [
  'contested_heads',
  'domain_overlaps',
  'domain_shared_ids',
  'domain_sharings',
  'head_overlap_layers',
  'head_overlaps',
  'overlaps',
  'search_postings',
];

interface Tables {
  filled: string[];
  empty: string[];
}

async function listTables(settings: Settings): Promise<Tables> {
  const dsn = settings['store.migration_dsn'];
  const counts =
    dsn === undefined ? countFile(settings['store.sqlite_path']) : await countDatabase(dsn);
  const kept = [...counts].filter(
    ([name]) => !NOT_BACKED_UP.includes(name) && !REBUILT_BY_REGISTRY.test(name),
  );
  return {
    filled: kept.filter(([, rows]) => rows > 0).map(([name]) => name),
    empty: kept.flatMap(([name, rows]) => (rows === 0 && !DERIVED.includes(name) ? [name] : [])),
  };
}

function countFile(path: string): Map<string, number> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all();
    return new Map(
      tables.map(({ name }) => {
        const row = database.prepare(`SELECT count(*) AS rows FROM ${String(name)}`).get();
        return [String(name), Number(row?.['rows'])];
      }),
    );
  } finally {
    database.close();
  }
}

async function countDatabase(dsn: string): Promise<Map<string, number>> {
  const client = new Client({ connectionString: dsn, options: '-c search_path=catalog' });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'catalog'::regnamespace AND relkind = 'r' ORDER BY relname`,
    );
    const counts = new Map<string, number>();
    for (const { name } of tables) {
      const { rowCount } = await client.query(`SELECT FROM ${name}`);
      counts.set(name, rowCount ?? 0);
    }
    return counts;
  } finally {
    await client.end();
  }
}

describe.each(['standalone', 'standard'] as const)('backup of a %s registry', (kind) => {
  test('contains every table that has rows', { timeout: 60_000 }, async () => {
    const settings = await openSettings(kind);
    await (await startVariedRegistry(settings)).close();
    const { filled, empty } = await listTables(settings);
    expect(empty).toEqual([]);
    const folder = `${temporaryFolder()}/copy`;
    await backUp(settings, folder, hooks);
    const target = await openSettings(kind);
    await restore(target, folder, hooks);
    expect((await listTables(target)).filled).toEqual(filled);
  });
});
