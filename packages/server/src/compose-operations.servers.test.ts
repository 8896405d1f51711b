import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ARCHIVE_TABLES,
  type ArchiveRows,
  type ArchiveSource,
  type ArchiveTable,
} from '@catalog/core/ports/archive';
import { startRegistry } from '@catalog/testkit/registry-server';
import { readTree, temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openSettings, startVariedRegistry } from '@catalog/testkit/varied-registry';
import { describe, expect, test } from 'vitest';
import {
  tableFile,
  tablesOf,
  type ArchivedFile,
  type ArchiveManifest,
} from './adapters/archive/manifest.ts';
import { openArchiveReader } from './adapters/archive/read-archive.ts';
import { encodeRow } from './adapters/archive/row-text.ts';
import {
  addBackup,
  backUp,
  move,
  openSnapshot,
  planMove,
  restore,
  verify,
} from './compose-operations.ts';
import { openStore } from './compose.ts';
import type { Settings } from './config/settings.ts';
import type { OperationHooks } from './operations/operation-hooks.ts';
import { restoreRows } from './operations/restore-rows.ts';

const hooks: OperationHooks = { report: () => undefined, signal: new AbortController().signal };

function stoppingAt(table: string): OperationHooks {
  const stopping = new AbortController();
  return {
    report: ({ step }) => void (step === table && stopping.abort(new Error('stopped'))),
    signal: stopping.signal,
  };
}

async function listFacts(source: ArchiveSource): Promise<Record<string, unknown[]>> {
  const facts: Record<string, unknown[]> = {};
  for (const table of ARCHIVE_TABLES) {
    const rows: object[] = [];
    for await (const page of source.read(table)) {
      rows.push(...page.map((row) => ({ ...JSON.parse(encodeRow(row)), revision: 0 })));
    }
    facts[table] = rows;
  }
  return facts;
}

async function readFacts(settings: Settings): Promise<Record<string, unknown[]>> {
  const snapshot = await openSnapshot(settings);
  try {
    return await listFacts(snapshot);
  } finally {
    await snapshot.close();
  }
}

const WHOLE = { findings: [], finding_count: 0 };

async function makeRegistry(kind: 'standalone' | 'standard'): Promise<Settings> {
  const settings = await openSettings(kind);
  await (await startVariedRegistry(settings)).close();
  return settings;
}

describe.each([
  ['standalone', 'standalone'],
  ['standalone', 'standard'],
  ['standard', 'standalone'],
  ['standard', 'standard'],
] as const)('backup of a %s registry, restored into a %s registry', (from, to) => {
  test(
    'is a consistent snapshot during ingests and contains every row',
    { timeout: 60_000 },
    async () => {
      const settings = await openSettings(from);
      const server = await startVariedRegistry(settings);
      const folder = `${temporaryFolder()}/copy`;
      const copying = new AbortController();
      let ingested = 0;
      async function keepIngesting(): Promise<void> {
        for (; !copying.signal.aborted; ingested += 1) {
          const version = `1.0.${ingested}`;
          const manifest = `---\ntype: rule\nversion: ${version}\ndescription: Changes.\n---\nDo it.\n`;
          const large = String(ingested).repeat(270_000);
          await server.ingest(
            {
              'a/ARTIFACT.md': manifest,
              'a/large.txt': large,
              [`b${ingested}/ARTIFACT.md`]: manifest,
            },
            { id: 'busy' },
          );
        }
      }
      const writing = keepIngesting();
      const copied = await backUp(settings, folder, hooks);
      copying.abort();
      await writing;
      expect(ingested).toBeGreaterThan(0);
      await server.close();

      const target = await openSettings(to);
      const restored = await restore(target, folder, hooks);
      expect(restored).toMatchObject({ ...copied, resumed: false, verification: WHOLE });
      for (const table of ARCHIVE_TABLES) expect(copied.rows[table], table).toBeGreaterThan(0);
      expect(copied.rows).toMatchObject({ tenants: 1, tenant_records: 1, rejections: 1 });
      expect(copied.rows.versions).toBeGreaterThanOrEqual(11);
      const archive = await openArchiveReader(folder, hooks.signal);
      expect(await readFacts(target)).toEqual(await listFacts(archive));
    },
  );
});

describe.each(['standalone', 'standard'] as const)('restore into a %s registry', (to) => {
  test('resumes after an interruption', { timeout: 60_000 }, async () => {
    const settings = await makeRegistry('standalone');
    const folder = `${temporaryFolder()}/copy`;
    await expect(backUp(settings, folder, stoppingAt('versions'))).rejects.toThrow('stopped');
    const target = await openSettings(to);
    await expect(restore(target, folder, hooks)).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('is not a complete backup'),
    });
    await backUp(settings, folder, hooks);

    await expect(restore(target, folder, stoppingAt('versions'))).rejects.toThrow('stopped');
    expect(await verify(target, { fast: true }, hooks)).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ kind: 'restore-pending' })]),
    });
    await expect(startRegistry({ settings: target, keep: true })).rejects.toMatchObject({
      code: 'config.invalid',
      message: 'A restore into this store is incomplete.',
    });
    // A backup of an empty store looks complete, so rotation would remove an older, useful one.
    const part = `${temporaryFolder()}/copies`;
    await expect(addBackup(target, part, 1, hooks)).rejects.toMatchObject({
      code: 'config.invalid',
      message: 'A restore into this store is incomplete.',
    });
    expect(readdirSync(part)).toEqual([]);
    const other = `${temporaryFolder()}/copy`;
    await backUp(settings, other, hooks);
    await expect(restore(target, other, hooks)).rejects.toMatchObject({
      message: expect.stringContaining('part of another incomplete restore'),
    });
    const restored = await restore(target, folder, hooks);
    expect(restored).toMatchObject({ resumed: true, verification: WHOLE });
    expect(await readFacts(target)).toEqual(await readFacts(settings));
    await expect(restore(target, folder, hooks)).rejects.toMatchObject({
      message: expect.stringContaining('not empty'),
    });
  });
});

test('restore refuses a store that a running registry uses', { timeout: 60_000 }, async () => {
  const folder = await copyOf(await makeRegistry('standalone'));
  const target = await openSettings('standard');
  const server = await startRegistry({ settings: target, keep: true });
  await expect(restore(target, folder, hooks)).rejects.toMatchObject({
    code: 'config.invalid',
    message: expect.stringContaining('A registry is using this store'),
    suggested_action: expect.stringContaining('Stop every registry'),
  });
  await server.close();
  expect(await restore(target, folder, hooks)).toMatchObject({ resumed: false });
});

/** Adds a tenant. Large files are not copied, because their objects exist only for the first tenant. */
async function addTenant(settings: Settings): Promise<void> {
  const facts = await openSnapshot(settings);
  const store = await openStore(settings);
  async function copy<Table extends ArchiveTable>(
    table: Table,
    change: (row: ArchiveRows[Table]) => Partial<ArchiveRows[Table]> = () => ({}),
  ): Promise<void> {
    for await (const page of facts.read(table)) {
      const rows = page.map((row) => ({ ...row, ...change(row), tenant: 2 }));
      await store.transaction((writes) =>
        restoreRows(writes, table, rows, { tenant: 2, layers: (_, number) => `layer ${number}` }),
      );
    }
  }
  await copy('tenants');
  await copy('tenant_records', () => ({ id: 'second', name: 'second' }));
  await copy('admin_grants');
  await copy('directory_resources');
  await copy('directory_members');
  await copy('directory_given_up');
  await copy('layer_numbers', ({ number }) => ({ id: `layer ${number}` }));
  await copy('layers', ({ number }) => ({ id: `layer ${number}`, webhook_key: `key ${number}` }));
  await copy('blobs');
  for await (const page of facts.read('versions')) {
    const rows = page
      .filter(({ files }) => files.every(({ size }) => size < 1000))
      .map((row) => ({ ...row, tenant: 2 }));
    await store.transaction((writes) =>
      restoreRows(writes, 'versions', rows, {
        tenant: 2,
        layers: (_, number) => `layer ${number}`,
      }),
    );
  }
  await copy('domains');
  await copy('outbox');
  await copy('audit');
  await store.close();
  await facts.close();
}

test('restore copies the content of several tenants', { timeout: 60_000 }, async () => {
  const settings = await makeRegistry('standard');
  await addTenant(settings);
  const target = await openSettings('standard');
  const restored = await restore(target, await copyOf(settings), hooks);
  expect(restored.rows).toMatchObject({
    tenants: 2,
    tenant_records: 2,
    admin_grants: 2,
    layers: 6,
  });
  expect(restored.verification).toMatchObject({ ...WHOLE, checked: { tenants: 2, layers: 6 } });
  expect(await readFacts(target)).toEqual(await readFacts(settings));
});

describe('move to a standard registry', () => {
  test('resumes after an interruption, but not from a changed file', async () => {
    const settings = await makeRegistry('standalone');
    const from = {
      sqlite_path: settings['store.sqlite_path'],
      filesystem_root: settings['object_store.filesystem_root'],
    };
    const target = await openSettings('standard');
    expect(await planMove(from, hooks)).toMatchObject({ layers: 3, versions: 12 });
    await expect(move(target, from, stoppingAt('versions'))).rejects.toThrow('stopped');
    const changed = await openSettings('standalone');
    const copy = await copyOf(settings);
    await expect(restore(changed, copy, stoppingAt('versions'))).rejects.toThrow('stopped');
    const other = { ...from, sqlite_path: changed['store.sqlite_path'] };
    await expect(move(target, other, hooks)).rejects.toThrow('A restore into this store is');
    await restore(changed, copy, hooks);
    await expect(move(target, other, hooks)).rejects.toThrow('part of another incomplete restore');
    const moved = await move(target, from, hooks);
    expect(moved).toMatchObject({ objects: 1, resumed: true, verification: WHOLE });
    expect(await readFacts(target)).toEqual(await readFacts(settings));
  });
});

async function copyOf(settings: Settings): Promise<string> {
  const folder = `${temporaryFolder()}/copy`;
  await backUp(settings, folder, hooks);
  return folder;
}

describe('backups', () => {
  test('backUp refuses a directory that is not empty', async () => {
    const settings = await makeRegistry('standalone');
    const folder = await copyOf(settings);
    await expect(backUp(settings, folder, hooks)).rejects.toThrow('contains a backup');
    const strange = temporaryFolder();
    writeFileSync(join(strange, 'letter.txt'), 'Dear');
    await expect(backUp(settings, strange, hooks)).rejects.toThrow('is not empty');
    expect(readdirSync(strange)).toEqual(['letter.txt']);
  });

  test('backUp overwrites partial files of a killed backup but refuses unrelated files', async () => {
    const settings = await makeRegistry('standalone');
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'tables'));
    writeFileSync(join(folder, 'tables/oak.csv'), 'height');
    writeFileSync(join(folder, 'tables/audit.ndjson.gz'), 'a part');
    const before = readTree(folder);
    await expect(backUp(settings, folder, hooks)).rejects.toThrow('is not empty');
    expect(readTree(folder)).toEqual(before);
    rmSync(join(folder, 'tables/oak.csv'));
    writeFileSync(join(folder, 'manifest.json.new'), '{');
    await backUp(settings, folder, hooks);
    expect(readdirSync(folder).toSorted()).toEqual(['manifest.json', 'objects', 'tables']);
    await restore(await openSettings('standalone'), folder, hooks);
  });

  test('restore does not change the backup', async () => {
    const folder = await copyOf(await makeRegistry('standalone'));
    const before = readTree(folder);
    await restore(await openSettings('standalone'), folder, hooks);
    expect(readTree(folder)).toEqual(before);
  });

  test('restore rejects a changed backup before it writes a row', async () => {
    const folder = await copyOf(await makeRegistry('standalone'));
    writeFileSync(join(folder, 'tables/audit.ndjson.gz'), 'x', { flag: 'a' });
    const target = await openSettings('standalone');
    await expect(restore(target, folder, hooks)).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('tables/audit.ndjson.gz was changed after the backup'),
    });
    rmSync(join(folder, 'tables/audit.ndjson.gz'));
    await expect(restore(target, folder, hooks)).rejects.toThrow('cannot be read');
    await expect(verify(target, { fast: true }, hooks)).rejects.toThrow('the file does not exist');
  });

  test.each<[string, (tables: ArchivedFile[]) => unknown[], string]>([
    ['leaves a table out', (tables) => tables.slice(1), 'does not list tenants'],
    ['names a table twice', (tables) => [...tables, ...tables.slice(0, 1)], 'or duplicate tables'],
    ['holds something else', () => [null], 'cannot be parsed'],
    [
      'has other numbers of rows',
      (tables) => tables.map((file) => ({ ...file, rows: file.rows + 1 })),
      'rows instead of',
    ],
  ])('restore rejects a backup whose manifest %s', async (_, change, message) => {
    const folder = await copyOf(await makeRegistry('standalone'));
    const path = join(folder, 'manifest.json');
    const manifest: ArchiveManifest = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...manifest, tables: change([...manifest.tables]) }));
    await expect(restore(await openSettings('standalone'), folder, hooks)).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(message),
    });
  });

  test('restore reads format 1, which has no tenant records', { timeout: 60_000 }, async () => {
    const settings = await makeRegistry('standalone');
    const folder = await copyOf(settings);
    const path = join(folder, 'manifest.json');
    const manifest: ArchiveManifest = JSON.parse(readFileSync(path, 'utf8'));
    const first = new Set<string>(tablesOf(1));
    const tables = manifest.tables.filter(({ table }) => first.has(table));
    expect(tables.length).toBeLessThan(manifest.tables.length);
    for (const { table } of manifest.tables) {
      if (!first.has(table)) rmSync(join(folder, tableFile(table)));
    }
    writeFileSync(path, JSON.stringify({ ...manifest, format_version: 1, tables }));
    const target = await openSettings('standalone');
    const restored = await restore(target, folder, hooks);
    expect(restored).toMatchObject({
      rows: { tenants: 1, tenant_records: 0, admin_grants: 0, layers: 3 },
      verification: WHOLE,
    });
    writeFileSync(path, JSON.stringify({ ...manifest, format_version: 99 }));
    await expect(restore(target, folder, hooks)).rejects.toThrow('reads formats up to');
  });

  test('backUp fails if the object store lost an object', async () => {
    const settings = await makeRegistry('standalone');
    rmSync(join(settings['object_store.filesystem_root'], '1'), { recursive: true });
    const copy = backUp(settings, `${temporaryFolder()}/copy`, hooks);
    await expect(copy).rejects.toMatchObject({
      code: 'registry.unavailable',
      message: expect.stringContaining('is missing from the object store'),
    });
  });
});
