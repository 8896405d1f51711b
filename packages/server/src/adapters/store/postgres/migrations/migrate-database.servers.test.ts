import { randomUUID } from 'node:crypto';
import { createDocumentedDatabase } from '@catalog/testkit/documented-database';
import { createDatabase, dropDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newSalt } from '../../../id.ts';
import { checkRole } from './check-role.ts';
import { migrate } from './migrate.ts';
import { migrateDatabase, planDatabaseMigration } from './migrate-database.ts';
import { migrations } from './table.ts';
import { openPostgresStore } from '../open-store.ts';
import { openPostgresSnapshot } from '../snapshot/snapshot.ts';

async function emptyDatabase(): Promise<{ dsn: string; migration_dsn: string; role: string }> {
  const { name, migration_dsn } = await createDatabase();
  const role = `catalog test ${randomUUID()}`;
  onTestFinished(async () => {
    await dropDatabase(name);
    for (const made of [role, `${role} owner`]) {
      await queryOnce(new URL('/postgres', migration_dsn).href, `DROP ROLE IF EXISTS "${made}"`);
    }
  });
  return { dsn: withUser(migration_dsn, role, 'päss/wörd @:%'), migration_dsn, role };
}

function withUser(dsn: string, user: string, password: string): string {
  const url = new URL(dsn);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return url.href;
}

async function queryOnce(dsn: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const options = { newSalt, onStep: () => undefined };

describe('registry database', () => {
  test('gets its schema and the registry role with a working password', async () => {
    const { role, ...dsns } = await emptyDatabase();
    const all = migrations.map(({ number, name }) => ({ number, name }));
    expect(await planDatabaseMigration(dsns)).toEqual({
      steps: all,
      role: { name: role, missing: 'role' },
      contract: 'none',
    });
    const seen: string[] = [];
    const onStep = ({ name }: { name: string }): void => void seen.push(name);
    expect(await migrateDatabase({ ...dsns, newSalt, onStep })).toEqual({
      steps: all,
      role: { name: role, missing: 'role' },
      contract: 'none',
    });
    expect(seen).toEqual(all.map(({ name }) => name));
    const store = await openPostgresStore({ dsn: dsns.dsn });
    expect(await store.layers.list(1)).toEqual([]);
    await store.close();
    const nothing = { steps: [], role: { name: role, missing: undefined }, contract: 'none' };
    expect(await migrateDatabase({ ...dsns, ...options })).toEqual(nothing);
    expect(await planDatabaseMigration(dsns)).toEqual(nothing);
  });

  test('keeps working for the previous release until the operator revokes its privileges', async () => {
    const database = await createDocumentedDatabase();
    onTestFinished(() => database.drop());
    const { dsn, migration_dsn } = database;
    const before = migrations.slice(0, 14);
    await migrate(migration_dsn, before);
    const dsns = { dsn, migration_dsn };
    const contract = { ...dsns, contract: true };
    const tooEarly = {
      code: 'config.invalid',
      message: expect.stringContaining(`needs ${migrations.length - 14} schema steps`),
      suggested_action: expect.stringContaining('without --contract'),
    };
    await expect(planDatabaseMigration(contract)).rejects.toMatchObject(tooEarly);
    await expect(migrateDatabase({ ...contract, ...options })).rejects.toMatchObject(tooEarly);
    expect(await migrateDatabase({ ...dsns, ...options })).toMatchObject({ contract: 'pending' });
    await checkRole(dsn, before);
    await queryOnce(dsn, "SET catalog.tenant = '1'; DELETE FROM catalog.versions");

    expect(await planDatabaseMigration(contract)).toMatchObject({ contract: 'applied' });
    expect(await migrateDatabase({ ...contract, ...options })).toMatchObject({
      steps: [],
      contract: 'applied',
    });
    await expect(
      queryOnce(dsn, "SET catalog.tenant = '1'; DELETE FROM catalog.versions"),
    ).rejects.toThrow(/permission denied/);
    // Processes of the previous release could not purge without the privilege, so they refuse to start.
    await expect(checkRole(dsn, before)).rejects.toThrow(/migrated by a newer release/);
    await (await openPostgresStore({ dsn })).close();
    expect(await migrateDatabase({ ...contract, ...options })).toMatchObject({ contract: 'none' });
  });

  test('gets an existing role as a member', async () => {
    const { role, ...dsns } = await emptyDatabase();
    await queryOnce(dsns.migration_dsn, `CREATE ROLE "${role}" LOGIN PASSWORD 'other'`);
    const { role: prepared } = await migrateDatabase({ ...dsns, ...options });
    expect(prepared).toEqual({ name: role, missing: 'membership' });
    const store = await openPostgresStore({ dsn: withUser(dsns.dsn, role, 'other') });
    await store.close();
  });

  test('needs pgvector in its schema, and the error explains how to move it', async () => {
    const { role: _, ...dsns } = await emptyDatabase();
    const refused = {
      code: 'config.invalid',
      message: expect.stringContaining('is installed in the schema public'),
      suggested_action: expect.stringContaining('ALTER EXTENSION vector SET SCHEMA catalog'),
    };
    await queryOnce(dsns.migration_dsn, 'CREATE EXTENSION vector SCHEMA public');
    await expect(planDatabaseMigration(dsns)).rejects.toMatchObject(refused);
    await expect(migrateDatabase({ ...dsns, ...options })).rejects.toMatchObject(refused);
    await queryOnce(dsns.migration_dsn, 'ALTER EXTENSION vector SET SCHEMA catalog');
    await migrateDatabase({ ...dsns, ...options });
    await queryOnce(dsns.migration_dsn, 'ALTER EXTENSION vector SET SCHEMA public');
    await expect(openPostgresStore({ dsn: dsns.dsn })).rejects.toMatchObject(refused);
  });

  test('can be migrated by an owner who is not a superuser if the extension exists', async () => {
    const { dsn, migration_dsn, role } = await emptyDatabase();
    const owner = `${role} owner`;
    await queryOnce(migration_dsn, `CREATE ROLE "${owner}" LOGIN CREATEROLE PASSWORD 'owner'`);
    const database = new URL(migration_dsn).pathname.slice(1);
    await queryOnce(migration_dsn, `GRANT CREATE ON DATABASE ${database} TO "${owner}"`);
    const given = {
      dsn,
      migration_dsn: withUser(migration_dsn, owner, 'owner'),
      ...options,
    };
    await expect(migrateDatabase(given)).rejects.toMatchObject({
      suggested_action: expect.stringContaining('WITH ADMIN OPTION'),
    });
    await queryOnce(
      migration_dsn,
      `GRANT catalog_keeper, catalog_program TO "${owner}" WITH ADMIN OPTION`,
    );
    await expect(migrateDatabase(given)).rejects.toMatchObject({
      suggested_action: expect.stringContaining('CREATE EXTENSION vector SCHEMA catalog'),
    });
    await queryOnce(migration_dsn, 'CREATE EXTENSION vector SCHEMA catalog');
    const { steps, role: made } = await migrateDatabase(given);
    expect(steps.at(-1)?.number).toBe(migrations.length);
    expect(made.missing).toBe('role');
    const store = await openPostgresStore({ dsn });
    await store.close();
    await queryOnce(migration_dsn, 'INSERT INTO catalog.tenants (tenant) VALUES (5), (6)');
    const snapshot = await openPostgresSnapshot(given.migration_dsn);
    const tenants: number[] = [];
    for await (const page of snapshot.read('tenants')) {
      tenants.push(...page.map(({ tenant }) => tenant));
    }
    await snapshot.close();
    expect(tenants).toEqual([5, 6]);
  });

  test('rejects a role without privileges and suggests the statement that grants them', async () => {
    const { dsn, migration_dsn, role } = await emptyDatabase();
    await migrateDatabase({ dsn, migration_dsn, ...options });
    await queryOnce(migration_dsn, `CREATE ROLE "${role} owner" LOGIN PASSWORD 'second'`);
    const second = withUser(migration_dsn, `${role} owner`, 'second');
    const statement = `GRANT catalog_program TO "${role} owner"`;
    await expect(openPostgresStore({ dsn: second })).rejects.toMatchObject({
      message: `The role ${role} owner is not a member of catalog_program.`,
      suggested_action: `As a superuser, run ${statement}.`,
    });
    await queryOnce(migration_dsn, statement);
    await (await openPostgresStore({ dsn: second })).close();
  });

  test('cannot be migrated by a role that cannot create the schema', async () => {
    const { dsn, migration_dsn, role } = await emptyDatabase();
    await migrateDatabase({ dsn, migration_dsn, ...options });
    await queryOnce(migration_dsn, 'DROP SCHEMA catalog CASCADE');
    await queryOnce(
      migration_dsn,
      `CREATE ROLE "${role} owner" LOGIN PASSWORD 'x' IN ROLE catalog_keeper`,
    );
    const other = withUser(migration_dsn, `${role} owner`, 'x');
    await expect(migrateDatabase({ dsn, migration_dsn: other, ...options })).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringMatching(/rejected the migration: permission denied for database/),
      suggested_action: expect.stringContaining('CREATE on the database'),
    });
  });

  test('without a schema is rejected with the command that creates it', async () => {
    const database = await createDocumentedDatabase();
    onTestFinished(() => database.drop());
    const { dsn, migration_dsn } = database;
    const refused = {
      code: 'config.invalid',
      message: 'The database has no catalog schema yet.',
      suggested_action: 'Run `catalog admin migrate`.',
    };
    await expect(openPostgresStore({ dsn })).rejects.toMatchObject(refused);
    await expect(openPostgresSnapshot(migration_dsn)).rejects.toMatchObject(refused);
  });

  const READS = [
    'GRANT USAGE ON SCHEMA catalog TO "ROLE"',
    'GRANT SELECT ON ALL TABLES IN SCHEMA catalog TO "ROLE"',
  ];
  test.each([[[]], [READS], [[...READS, 'GRANT catalog_keeper TO "ROLE" WITH INHERIT FALSE']]])(
    'rejects a snapshot by a role that cannot read every row: %j',
    async (grants) => {
      const { dsn, migration_dsn, role } = await emptyDatabase();
      await migrateDatabase({ dsn, migration_dsn, ...options });
      await queryOnce(migration_dsn, `CREATE ROLE "${role} owner" LOGIN PASSWORD 'reader'`);
      for (const grant of grants)
        await queryOnce(migration_dsn, grant.replace('ROLE', `${role} owner`));
      const reader = withUser(migration_dsn, `${role} owner`, 'reader');
      const statement = `GRANT catalog_keeper TO "${role} owner" WITH INHERIT TRUE`;
      await expect(openPostgresSnapshot(reader)).rejects.toMatchObject({
        code: 'config.invalid',
        message: expect.stringContaining('cannot read the rows of every tenant'),
        details: { key: 'store.migration_dsn' },
        suggested_action: expect.stringContaining(statement),
      });
      for (const grant of READS)
        await queryOnce(migration_dsn, grant.replace('ROLE', `${role} owner`));
      await queryOnce(migration_dsn, statement);
      await (await openPostgresSnapshot(reader)).close();
    },
  );

  test.each([
    [
      'nobody answers',
      (dsn: URL) => void (dsn.port = '1'),
      /Cannot connect to PostgreSQL at 127\.0\.0\.1:1: ECONNREFUSED/,
      /Start PostgreSQL/,
    ],
    [
      'the password is wrong',
      (dsn: URL) => void (dsn.password = 'wrong'),
      /password authentication failed/,
      /user and password/,
    ],
    [
      'there is no such database',
      (dsn: URL) => void (dsn.pathname = '/nowhere'),
      /"nowhere" does not exist/,
      /CREATE DATABASE/,
    ],
  ])('suggests a fix for a failed migration if %s', async (_, change, message, action) => {
    const { dsn, migration_dsn } = await emptyDatabase();
    const url = new URL(migration_dsn);
    change(url);
    await expect(
      migrateDatabase({ dsn, migration_dsn: url.href, ...options }),
    ).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringMatching(message),
      suggested_action: expect.stringMatching(action),
      details: { key: 'store.migration_dsn' },
    });
    await expect(openPostgresSnapshot(url.href)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      suggested_action: expect.stringContaining('store.migration_dsn'),
    });
  });

  test('suggests the missing privileges if the owner lacks them', async () => {
    const { dsn, migration_dsn, role } = await emptyDatabase();
    await queryOnce(migration_dsn, `CREATE ROLE "${role}" LOGIN PASSWORD 'owner'`);
    await queryOnce(
      migration_dsn,
      `GRANT catalog_keeper, catalog_program TO "${role}" WITH ADMIN OPTION`,
    );
    const owner = withUser(migration_dsn, role, 'owner');
    await expect(migrateDatabase({ dsn, migration_dsn: owner, ...options })).rejects.toMatchObject({
      code: 'config.invalid',
      suggested_action: expect.stringContaining('CREATE on the database, and CREATEROLE'),
    });
  });
});
