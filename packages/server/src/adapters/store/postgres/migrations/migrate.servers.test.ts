import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { createDocumentedDatabase } from '@catalog/testkit/documented-database';
import { createDatabase, dropDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listApplied, migrate, requireSchema } from './migrate.ts';
import type { Migration } from './migration.ts';
import { migrations } from './table.ts';

const NEXT = 'CREATE TABLE next_one (a int); CREATE TABLE next_two (a int);';

function stepOf(sql: string): Migration {
  return {
    number: migrations.length + 1,
    name: 'next',
    oldest_program: migrations.length,
    checksum: bytesHash(sql),
    readSql: () => sql,
  };
}

const next = stepOf(NEXT);

async function emptyDatabase(): Promise<string> {
  const { name, migration_dsn } = await createDatabase();
  onTestFinished(() => dropDatabase(name));
  return migration_dsn;
}

async function queryOnce<Row extends object>(dsn: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const tablesOf = (dsn: string) =>
  queryOnce(dsn, "SELECT tablename FROM pg_tables WHERE schemaname = 'catalog' ORDER BY tablename");

async function appliedIn(dsn: string) {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    return await listApplied(client);
  } finally {
    await client.end();
  }
}

describe('PostgreSQL schema', () => {
  test('has consecutive step numbers, and each step supports programs up to itself', () => {
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, at) => at + 1));
    for (const { number, oldest_program } of migrations) {
      expect(oldest_program).toBeLessThanOrEqual(number);
    }
  });

  test('has one unchanged file per step', () => {
    expect(migrations.map((step) => bytesHash(step.readSql()))).toEqual(
      migrations.map(({ checksum }) => checksum),
    );
    const files = readdirSync(`${import.meta.dirname}/steps`);
    expect(files).toHaveLength(migrations.length);
  });

  test('is migrated step by step and records each step once', async () => {
    const dsn = await emptyDatabase();
    for (let count = 1; count <= migrations.length; count += 1) {
      expect(await migrate(dsn, migrations.slice(0, count))).toHaveLength(1);
    }
    expect(await migrate(dsn, migrations)).toEqual([]);
    const fresh = await emptyDatabase();
    await migrate(fresh, migrations);
    expect(await tablesOf(dsn)).toEqual(await tablesOf(fresh));
    const applied = await appliedIn(dsn);
    expect(applied.map(({ number, name }) => `${number} ${name}`)).toEqual(
      migrations.map(({ number, name }) => `${number} ${name}`),
    );
  });

  // These steps precede one that sets a parameter of pgvector; the last one is the newest step of 0.4.0.
  test.each([5, 10, 12, 14])(
    'migrates from step %i with the roles of the install page',
    async (count) => {
      const database = await createDocumentedDatabase();
      onTestFinished(() => database.drop());
      await migrate(database.migration_dsn, migrations.slice(0, count));
      const rest = await migrate(database.migration_dsn, migrations);
      expect(rest).toHaveLength(migrations.length - count);
    },
  );

  test('is migrated once by processes that start concurrently', async () => {
    const dsn = await emptyDatabase();
    const applied = await Promise.all([1, 2, 3].map(() => migrate(dsn, migrations)));
    expect(applied.filter(({ length }) => length === migrations.length)).toHaveLength(1);
    expect(applied.filter(({ length }) => length === 0)).toHaveLength(2);
  });

  test('of a newer release is accepted by programs that the schema supports and rejected by older ones', async () => {
    const dsn = await emptyDatabase();
    await migrate(dsn, [...migrations, next]);
    const applied = await appliedIn(dsn);
    requireSchema(applied, migrations);
    expect(await migrate(dsn, migrations)).toEqual([]);
    const contracted = applied.map((step) =>
      step.number === next.number ? { ...step, oldest_program: next.number } : step,
    );
    expect(() => requireSchema(contracted, migrations)).toThrow(/migrated by a newer release/);
  });

  test('that is outdated or missing is rejected with the command to run', async () => {
    expect(() => requireSchema([], migrations)).toThrow(
      expect.objectContaining({ suggested_action: 'Run `catalog admin migrate`.' }),
    );
    const dsn = await emptyDatabase();
    await migrate(dsn, migrations);
    const applied = await appliedIn(dsn);
    expect(() => requireSchema(applied, [...migrations, next])).toThrow(
      `at step ${migrations.length}, but this release needs step ${next.number}`,
    );
  });

  test('with a different step of the same number is rejected', async () => {
    const dsn = await emptyDatabase();
    await migrate(dsn, [...migrations, next]);
    const edited = stepOf(`${NEXT} -- edited`);
    await expect(migrate(dsn, [...migrations, edited])).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(`step ${next.number} (next) differs`),
    });
  });

  test('is migrated with a short lock timeout, so that other queries are not blocked for long', async () => {
    const dsn = await emptyDatabase();
    await migrate(dsn, migrations);
    const reader = new Client({ connectionString: dsn });
    await reader.connect();
    await reader.query('BEGIN; SELECT 1 FROM catalog.layers');
    const change = stepOf('ALTER TABLE layers ADD COLUMN next_one int');
    const migrating = migrate(dsn, [...migrations, change]);
    await delay(2500);
    await queryOnce(dsn, 'SELECT 1 FROM catalog.layers');
    await reader.query('COMMIT');
    await reader.end();
    expect(await migrating).toHaveLength(1);
  });

  test('is unchanged after a failed step', async () => {
    const dsn = await emptyDatabase();
    await migrate(dsn, migrations);
    const before = await tablesOf(dsn);
    const broken = stepOf(`${NEXT} CREATE TABLE next_one (again int);`);
    await expect(migrate(dsn, [...migrations, broken])).rejects.toThrow('next_one');
    expect(await tablesOf(dsn)).toEqual(before);
    expect(await migrate(dsn, [...migrations, next])).toHaveLength(1);
  });
});
