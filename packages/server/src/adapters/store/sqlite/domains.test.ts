import {
  createDomainModel,
  type DomainModel,
} from '@catalog/core/conformance/domains/domain-model.conformance';
import { domainsConformance } from '@catalog/core/conformance/domains/domains.conformance';
import { renderDomainMap } from '@catalog/core/domain/render-domain-map';
import type { Tenant } from '@catalog/core/ports/tenant';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openConnection, type Connection } from './connection.ts';
import { MOST_IMPORTS } from './domain-imports.ts';
import { migrate } from './migrations/migrate.ts';
import { migrations } from './migrations/table.ts';
import { openSqliteStore } from './open-store.ts';
import { storeReads, storeWrites } from './sub-stores.ts';
import { beginTransaction } from './transaction.ts';

domainsConformance(() => openSqliteStore({ path: ':memory:' }));

interface Tables {
  connection: Connection;
  /** The text of every statement so far. */
  statements: Set<string>;
  model: DomainModel;
}

/** The tables, with a look at what goes on between them and the store. */
function openTables(): Tables {
  const connection = openConnection(':memory:', { read_only: false });
  onTestFinished(() => connection.close());
  migrate(connection, ':memory:', migrations);
  const statements = new Set<string>();
  const watched: Connection = {
    ...connection,
    statement(sql) {
      statements.add(sql);
      return connection.statement(sql);
    },
  };
  const revisions = new Map<Tenant, number>();
  const store = {
    domains: storeReads(async (step) => step(watched), { get: () => 0 }).domains,
    async transaction<Result>(
      work: (writes: ReturnType<typeof storeWrites>) => Promise<Result>,
    ): Promise<Result> {
      const transaction = beginTransaction(watched, revisions);
      const result = await work(storeWrites(transaction, transaction.revisions));
      transaction.commit();
      return result;
    },
  };
  return { connection, statements, model: createDomainModel(store, 1) };
}

const LAYERS = [1, 2, 3];
const TABLES = [
  'domains',
  'domain_files',
  'domain_members',
  'domain_sharings',
  'domain_shared_ids',
  'domain_overlaps',
  'domain_globs',
  'domain_imports',
  'domain_postings',
];

/** Something of everything the tables are for. */
async function fill(model: DomainModel): Promise<void> {
  const heads = { 'a/x': {}, 'a/b/y': {}, 'c/z': {}, 'd/w': {} };
  await model.putHeads(1, heads);
  for (const layer of LAYERS) {
    await model.putDomains(layer, {
      a: { fields: { description: 'Letters.', include: ['c/*', 'd/**'] }, body: '' },
      'c/e': { fields: { unlisted: true }, body: 'Hidden.' },
    });
  }
  await model.putHeads(2, heads);
  await model.putHeads(3, { 'a/x': { deprecated: true }, 'c/e/v': {} });
}

async function readAll(model: DomainModel): Promise<void> {
  const request = { path: '', discovery: { fold_below_artifacts: 3 } };
  await renderDomainMap(model.reader(LAYERS), request);
  await renderDomainMap(model.reader(LAYERS), { path: 'a' });
  await model.reader(LAYERS).getMembers({ path: 'a', folded: ['a/b'] }, ['c/z', 'a/b/y']);
  await model.reader(LAYERS).listTags('', 10);
  await model.search(LAYERS, { query: 'letters', scope: '', top_k: 10 });
}

describe('the tables of domains', () => {
  test('are empty when everything is gone', async () => {
    const { connection, model } = openTables();
    await fill(model);
    for (const table of TABLES) {
      expect(connection.statement(`SELECT 1 FROM ${table}`).get(), table).toBeDefined();
    }
    for (const layer of LAYERS) {
      await model.removeHeads(layer, ['a/x', 'a/b/y', 'c/z', 'd/w', 'c/e/v']);
      await model.removeDomains(layer, ['a', 'c/e']);
    }
    for (const table of TABLES) {
      expect(connection.statement(`SELECT * FROM ${table}`).all(), table).toEqual([]);
    }
  });

  test('are never read or written through: every statement seeks what it wants', async () => {
    const { connection, statements, model } = openTables();
    await fill(model);
    await readAll(model);
    await model.removeHeads(2, ['a/x']);
    await model.removeDomains(2, ['a']);
    const ours = [...statements].filter(
      (sql) => /\bdomain(?:s|_\w+)\b/.test(sql) && !sql.endsWith('LIMIT 1'),
    );
    expect(ours.length).toBeGreaterThan(25);
    for (const sql of ours) {
      const plan = connection.statement<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all();
      const details = plan.map(({ detail }) => detail);
      expect(
        details.filter((detail) => isWide(detail)),
        sql,
      ).toEqual([]);
    }
  });

  test('hold a bounded number of imports, whatever a DOMAIN.md asks for', async () => {
    const { connection, model } = openTables();
    const many = (from: number) =>
      Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`m/x${from + index}`, {}]));
    const count = () =>
      connection.statement<{ n: number }>('SELECT count(*) AS n FROM domain_imports').get()?.n;
    await model.putHeads(1, many(0));
    await model.putDomains(1, { all: { fields: { include: ['**'] }, body: '' } });
    expect(count()).toBe(6000);
    await model.putHeads(1, many(6000));
    expect(count()).toBe(MOST_IMPORTS);
    await model.putDomains(1, { again: { fields: { include: ['m/*', '**'] }, body: '' } });
    expect(count()).toBe(2 * MOST_IMPORTS);
  });
});

/** Whether a step of a plan reads a table, or all that a tenant or a layer has in it, past one row. */
function isWide(detail: string): boolean {
  if (detail.startsWith('SCAN')) return !detail.includes('VIRTUAL TABLE');
  if (detail.includes(' EXISTS ')) return false;
  return /\((?:tenant=\?(?: AND layer=\?)?)\)/.test(detail);
}
