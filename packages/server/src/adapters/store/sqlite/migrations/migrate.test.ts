import { readdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { startRegistry } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { loadSettings } from '../../../../config/load.ts';
import { openSqliteStore } from '../open-store.ts';
import type { RunnableStep } from '../../shared/frozen-step.ts';
import { migrations } from './table.ts';

const NEXT = 'CREATE TABLE next_one (a INTEGER) STRICT; CREATE TABLE next_two (a INTEGER) STRICT;';

function stepOf(sql: string): RunnableStep {
  return {
    number: migrations.length + 1,
    name: 'next',
    checksum: bytesHash(sql),
    readSql: () => sql,
  };
}

const next = stepOf(NEXT);

function tablesOf(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('SELECT name FROM sqlite_schema ORDER BY name').all();
  database.close();
  return rows.map(({ name }) => String(name));
}

async function openAndClose(path: string, steps: readonly RunnableStep[]): Promise<void> {
  await (await openSqliteStore({ path, migrations: steps })).close();
}

describe('SQLite schema', () => {
  test('has consecutive step numbers', () => {
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
  });

  test('has one unchanged file per step', () => {
    expect(migrations.map((step) => bytesHash(step.readSql()))).toEqual(
      migrations.map(({ checksum }) => checksum),
    );
    const files = readdirSync(`${import.meta.dirname}/steps`);
    expect(files).toHaveLength(migrations.length);
  });

  test('reports each step applied to an older file and none for a new file', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    const steps: string[] = [];
    const onStep = ({ number, name }: { number: number; name: string }) =>
      void steps.push(`${number} ${name}`);
    const older = migrations.slice(0, -2);
    await (await openSqliteStore({ path, migrations: older, onStep })).close();
    expect(steps).toEqual([]);
    await (await openSqliteStore({ path, onStep })).close();
    expect(steps).toEqual(migrations.slice(-2).map(({ number, name }) => `${number} ${name}`));
    await (await openSqliteStore({ path, onStep })).close();
    expect(steps).toHaveLength(2);
  });

  test('logs each migration step when a registry starts with an older file', async () => {
    const folder = temporaryFolder();
    const { settings } = loadSettings({
      cwd: folder,
      home: folder,
      env: {},
      flags: { bind: '127.0.0.1:0' },
    });
    const path = settings['store.sqlite_path'];
    await openAndClose(path, migrations.slice(0, -1));
    const server = await startRegistry({ settings: { ...settings, 'log.level': 'info' } });
    const last = migrations.at(-1);
    expect(server.log.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        msg: 'migrating the schema',
        step: last?.number,
        name: last?.name,
      }),
    );
  });

  test('is migrated step by step and records each step once', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    for (let count = 1; count <= migrations.length; count += 1) {
      await openAndClose(path, migrations.slice(0, count));
    }
    await openAndClose(path, migrations);
    const fresh = `${temporaryFolder()}/registry.db`;
    await openAndClose(fresh, migrations);
    expect(tablesOf(path)).toEqual(tablesOf(fresh));
    const database = new DatabaseSync(path);
    const rows = database
      .prepare('SELECT number, name, checksum, applied_at FROM migrations')
      .all();
    database.close();
    expect(rows.map(({ number, name }) => `${String(number)} ${String(name)}`)).toEqual(
      migrations.map(({ number, name }) => `${number} ${name}`),
    );
    expect(rows[0]).toMatchObject({
      checksum: expect.stringMatching(/^sha256:/),
      applied_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  test('of a newer release is rejected and unchanged', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    await openAndClose(path, [...migrations, next]);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(`has schema step ${next.number} (next)`),
      details: { path },
    });
    await openAndClose(path, [...migrations, next]);
  });

  test('with a different step of the same number is rejected', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    await openAndClose(path, [...migrations, next]);
    const edited = stepOf(`${NEXT} -- edited`);
    await expect(openAndClose(path, [...migrations, edited])).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(`step ${next.number} (next) differs`),
    });
  });

  test('is unchanged after a failed step', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    await openAndClose(path, migrations);
    const before = tablesOf(path);
    const broken = stepOf(`${NEXT} CREATE TABLE next_one (again INTEGER);`);
    await expect(openAndClose(path, [...migrations, broken])).rejects.toThrow('next_one');
    expect(tablesOf(path)).toEqual(before);
    await openAndClose(path, [...migrations, next]);
    expect(tablesOf(path)).toContain('next_two');
  });

  test('of another program is rejected', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE theirs (a)');
    database.close();
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('database of another program'),
    });
    expect(tablesOf(path)).toEqual(['theirs']);
  });

  test('cannot be created in a file that is not a database', async () => {
    const path = `${temporaryFolder()}/registry.db`;
    writeFileSync(path, 'This is a letter, not a database. '.repeat(200));
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('is not a database'),
      details: { path },
    });
  });
});
