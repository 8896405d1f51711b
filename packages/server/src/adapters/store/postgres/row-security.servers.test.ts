import {
  newHead,
  sampleEvent,
  sampleLayer,
  sampleRecord,
  sampleRequest,
  sampleTenant,
  sampleVersion,
  T1,
} from '@catalog/core/conformance/samples.conformance';
import type { Store, StoreReads } from '@catalog/core/ports/store';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client, escapeIdentifier } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from './open-store.ts';
import { clientQueries } from './pool/pool.ts';
import type { Queries, Run } from '../shared/queries.ts';
import { readRevision } from './revision.ts';
import { storeReads } from './sub-stores.ts';

const TENANTLESS = [
  'embedding_models',
  'issuer_keys',
  'migrations',
  'read_writers',
  'restores',
  'store_identity',
  'vector_models',
];

const TABLES = `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS secured,
    EXISTS (SELECT 1 FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attname = 'tenant' AND a.attnotnull) AS of_tenants,
    has_table_privilege('catalog_program', c.oid, 'SELECT') AS readable,
    has_table_privilege('catalog_program', c.oid, 'UPDATE, DELETE') AS changeable
  FROM pg_class c WHERE c.relnamespace = 'catalog'::regnamespace AND c.relkind IN ('r', 'p')
  ORDER BY c.relname`;

interface Table {
  name: string;
  secured: boolean;
  of_tenants: boolean;
  readable: boolean;
  changeable: boolean;
}

const NEEDED = `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
  FROM pg_attribute a WHERE a.attrelid = ('catalog.' || $1)::regclass AND a.attnum > 0
    AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''`;

function sampleOf(type: string, tenant: number): string {
  if (type.endsWith('[]')) return '{}';
  if (/^(smallint|integer|bigint|real|double)/.test(type)) return String(tenant);
  if (type === 'text') return `of ${tenant}`;
  if (type === 'boolean') return 'false';
  if (type.startsWith('timestamp')) return '2026-01-02T03:04:05Z';
  if (type.startsWith('json')) return '[]';
  if (type === 'bytea') return '\\x00';
  if (type === 'uuid') return `00000000-0000-0000-0000-00000000000${tenant}`;
  const vector = /^(sparsevec|halfvec|vector)\((\d+)\)$/.exec(type);
  if (vector?.[1] === 'sparsevec') return `{1:1}/${vector[2]}`;
  if (vector !== null) return JSON.stringify(Array.from({ length: Number(vector[2]) }, () => 1));
  throw new Error(`no sample of ${type}`);
}

async function connect(dsn: string): Promise<Client> {
  const client = new Client({ connectionString: dsn, options: '-c search_path=catalog' });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function listTables(client: Client): Promise<Table[]> {
  return (await client.query<Table>(TABLES)).rows;
}

async function insertRow(
  client: Client,
  table: string,
  tenant: number,
  otherwise = '',
): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(NEEDED, [table]);
  const names = rows.map(({ name }) => escapeIdentifier(name)).join(', ');
  const places = rows.map((_, index) => `$${index + 1}`).join(', ');
  const values = rows.map(({ name, type }) =>
    name === 'tenant' ? tenant : sampleOf(type, tenant),
  );
  await client.query(`INSERT INTO ${table} (${names}) VALUES (${places}) ${otherwise}`, values);
}

async function openDatabase(): Promise<{ dsn: string; owner: Client }> {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const owner = await connect(migration_dsn);
  await owner.query("SELECT add_vector_model('sample', 4)");
  return { dsn, owner };
}

describe('row-level security', () => {
  test('is enabled and forced for every table except for a known list', async () => {
    const { owner } = await openDatabase();
    const tables = await listTables(owner);
    expect(tables.length).toBeGreaterThan(20);
    const tenantless = tables.filter(({ of_tenants }) => !of_tenants);
    expect(tenantless.map(({ name }) => name)).toEqual(TENANTLESS);
    const open = tables.filter(({ secured, of_tenants }) => of_tenants && !secured);
    expect(open).toEqual([]);
  });

  async function twoTenants(): Promise<{ dsn: string; tables: Table[] }> {
    const { dsn, owner } = await openDatabase();
    const tables = (await listTables(owner)).filter(({ of_tenants }) => of_tenants);
    for (const { name } of tables) {
      // The first insert also creates the usage row of the tenant.
      await insertRow(owner, name, 1, 'ON CONFLICT DO NOTHING');
      await insertRow(owner, name, 2, 'ON CONFLICT DO NOTHING');
    }
    return { dsn, tables };
  }

  test('fails a statement without a tenant', async () => {
    const { dsn, tables } = await twoTenants();
    const program = await connect(dsn);
    for (const { name, readable } of tables) {
      const refusal = readable ? /catalog\.tenant/ : /permission denied/;
      await expect(program.query(`SELECT FROM ${name}`), name).rejects.toThrow(refusal);
    }
  });

  test('hides the rows of another tenant from statements without a tenant filter', async () => {
    const { dsn, tables } = await twoTenants();
    const program = await connect(dsn);
    await program.query("SET catalog.tenant = '1'");
    for (const { name, changeable } of tables.filter(({ readable }) => readable)) {
      await program.query('BEGIN');
      const { rows } = await program.query(`SELECT tenant FROM ${name}`);
      expect(rows, name).toEqual([{ tenant: 1 }]);
      if (changeable) {
        const deleted = await program.query(`DELETE FROM ${name}`);
        expect(deleted.rowCount, name).toBe(1);
      }
      await expect(insertRow(program, name, 2), name).rejects.toThrow(/row-level security/);
      await program.query('ROLLBACK');
    }
  });

  test('hides the rows of another tenant from statements with its number', async () => {
    const { dsn, tables } = await twoTenants();
    const program = await connect(dsn);
    await program.query("SET catalog.tenant = '1'");
    for (const { name } of tables.filter(({ changeable }) => changeable)) {
      await program.query('BEGIN');
      for (const statement of [
        `SELECT FROM ${name} WHERE tenant = 2`,
        `UPDATE ${name} SET tenant = 1 WHERE tenant = 2`,
        `DELETE FROM ${name} WHERE tenant = 2`,
      ]) {
        expect((await program.query(statement)).rowCount, statement).toBe(0);
      }
      const given = program.query(`UPDATE ${name} SET tenant = 2`);
      await expect(given, name).rejects.toThrow(/row-level security/);
      await program.query('ROLLBACK');
    }
  });

  test('is combined with append-only tables for the program', async () => {
    const { dsn, tables } = await twoTenants();
    const append_only = tables.filter(({ readable, changeable }) => readable && !changeable);
    expect(append_only.map(({ name }) => name)).toEqual(['audit', 'version_ledger', 'versions']);
    const program = await connect(dsn);
    await program.query("SET catalog.tenant = '1'");
    for (const { name } of append_only) {
      for (const statement of [`UPDATE ${name} SET tenant = 1`, `DELETE FROM ${name}`]) {
        await expect(program.query(statement), statement).rejects.toThrow(/permission denied/);
      }
    }
  });

  test('applies to the functions that purge append-only tables', async () => {
    const { dsn } = await twoTenants();
    const program = await connect(dsn);
    const counts = async (): Promise<object[]> => {
      const counted = `SELECT (SELECT count(*)::int FROM versions) AS versions,
        (SELECT count(*)::int FROM version_ledger WHERE layer_id LIKE 'replaced %') AS replaced`;
      const seen: object[] = [];
      for (const tenant of [1, 2]) {
        await program.query(`SET catalog.tenant = '${tenant}'`);
        seen.push(...(await program.query<object>(counted)).rows);
      }
      return seen;
    };
    await program.query("SET catalog.tenant = '1'");
    const purge = (tenant: number): string =>
      `SELECT purge_versions(${tenant}, ${tenant}, '{of ${tenant}}', '{of ${tenant}}')`;
    const rename = (tenant: number, id: string): string =>
      `SELECT set_ledger_aside(${tenant}, 'of ${tenant}', '${id}')`;
    await program.query(purge(2));
    await program.query(rename(2, 'replaced 2 of 2'));
    await program.query(rename(1, 'another layer'));
    const before = { versions: 1, replaced: 0 };
    expect(await counts()).toEqual([before, before]);
    await program.query("SET catalog.tenant = '1'");
    await program.query(purge(1));
    await program.query(rename(1, 'replaced 1 of 1'));
    expect(await counts()).toEqual([{ versions: 0, replaced: 1 }, before]);
  });

  test('is bypassed only by known functions, which only the program may call', async () => {
    const { owner } = await openDatabase();
    const { rows } = await owner.query<{ name: string; is_public: boolean }>(KEEPERS);
    expect(rows.map(({ name }) => name)).toEqual(SEE_EVERY_TENANT);
    expect(rows.filter(({ is_public }) => is_public)).toEqual([]);
  });
});

/** Functions that read all tenants. The migration of each gives the reason. */
const SEE_EVERY_TENANT = [
  'active_tenants',
  'add_domain_vectors',
  'add_embedding_model',
  'add_vector_model',
  'claim_job',
  'claim_job_in_lanes',
  'claim_next_job',
  'claim_waiting',
  'claim_waiting_after',
  'count_events',
  'count_waiting',
  'create_tenant',
  'dispatch_depth',
  'dispatch_workers',
  'drop_embedding_model',
  'drop_vector_model',
  'end_claims',
  'end_leases',
  'every_tenant',
  'failed_tenants',
  'fill_embedding_model',
  'find_by_meaning',
  'find_by_words',
  'find_nearest',
  'frozen_tenants',
  'job_depth',
  'job_workers',
  'list_words',
  'mark_embedding_model_ready',
  'prune_deliveries',
  'prune_session_choices',
  'prune_sessions',
  'purge_versions',
  'receivers_due',
  'search_filters',
  'search_vectors',
  'search_words',
  'set_ledger_aside',
  'settle_documents',
  'settle_vectors',
  'store_is_empty',
  'tenant_of_organization',
  'tenant_of_webhook',
  'watched_tenants',
];

const KEEPERS = `SELECT p.proname AS name, has_function_privilege('public', p.oid, 'EXECUTE') AS is_public
  FROM pg_proc p WHERE p.pronamespace = 'catalog'::regnamespace AND p.prosecdef ORDER BY p.proname`;

async function fillStore(store: Store): Promise<void> {
  for (const name of ['one', 'two']) {
    await store.transaction(async (writes) => {
      const { tenant } = await writes.tenants.create(sampleTenant(name));
      const { number } = await writes.layers.create(
        tenant,
        sampleLayer(`layer of ${name}`, { webhook_key: name }),
      );
      const id = `skill of ${name}`;
      await writes.grants.grant(tenant, { user_id: `of ${name}`, granted_at: T1, granted_by: 'x' });
      await writes.versions.putVersions(tenant, `layer of ${name}`, [
        sampleVersion({ id, layer: number }),
      ]);
      await writes.versions.putHeads(tenant, number, [newHead({ id, layer: number })]);
      await writes.outbox.append(tenant, [sampleEvent(`of ${name}`)]);
      await writes.audit.append(tenant, [sampleRecord(`of ${name}`)]);
      await writes.jobs.enqueue(tenant, {
        job: `of ${name}`,
        layer_id: `layer of ${name}`,
        request: sampleRequest(),
        now: T1,
      });
    });
  }
}

type Answers = Record<string, unknown>;

async function readAll(store: StoreReads, tenant: number): Promise<Answers> {
  return {
    record: await store.tenants.get(tenant),
    admins: await store.grants.list(tenant),
    is_admin: await store.grants.isAdmin(tenant, 'of one'),
    layers: await store.layers.list(tenant),
    layer: await store.layers.get(tenant, 'layer of one'),
    heads: await store.versions.listHeadsOf(tenant, [1], ['skill of one', 'skill of two']),
    versions: await store.versions.listVersions(tenant, 1, 'skill of one'),
    events: await store.outbox.listAfter(tenant, 0, 10),
    audit: await store.audit.list(tenant, 0, 10),
    jobs: await store.jobs.list(tenant, '', 10),
  };
}

function readsOn(program: Client, change: (sql: string) => string): StoreReads {
  const sent = clientQueries(program);
  const queries: Queries = {
    ...sent,
    rows: (sql, ...parameters) => sent.rows<never>(change(sql), ...parameters),
    row: (sql, ...parameters) => sent.row<never>(change(sql), ...parameters),
    run: (sql, ...parameters) => sent.run(change(sql), ...parameters),
  };
  const run: Run = async (tenant, step) => {
    await program.query(`SET catalog.tenant = '${tenant}'`);
    return step(queries);
  };
  return storeReads({ run, together: run }, (tenant) => readRevision(run, tenant));
}

describe('program without tenant filters', () => {
  async function readTwice(dsn: string) {
    const store = await openPostgresStore({ dsn, pool_size: 2 });
    onTestFinished(() => store.close());
    await fillStore(store);
    const { tenant } = (await store.tenants.find('two')) ?? { tenant: 0 };
    const program = await connect(dsn);
    const answers = await readAll(
      readsOn(program, (sql) => sql),
      tenant,
    );
    expect(JSON.stringify(answers)).toContain('of two');
    expect(JSON.stringify(answers)).not.toContain('of one');
    let changed = 0;
    const forgetful = readsOn(program, (sql) => {
      const without = sql.replaceAll(/(\w+\.)?tenant = \$1/g, '$$1::int IS NOT NULL');
      changed += Number(without !== sql);
      return without;
    });
    return { answers, without_filters: await readAll(forgetful, tenant), changed: () => changed };
  }

  test("returns only data of the caller's tenant", async () => {
    const { dsn } = await temporaryDatabase();
    const { answers, without_filters, changed } = await readTwice(dsn);
    expect(changed()).toBe(Object.keys(answers).length);
    expect(without_filters).toEqual(answers);
  });

  test('would return data of other tenants without the policies', async () => {
    const { dsn, migration_dsn } = await temporaryDatabase();
    const owner = await connect(migration_dsn);
    for (const { name, of_tenants } of await listTables(owner)) {
      if (of_tenants) await owner.query(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
    }
    const { answers, without_filters } = await readTwice(dsn);
    for (const [what, answer] of Object.entries(without_filters)) {
      expect(answer, what).not.toEqual(answers[what]);
    }
  });
});
