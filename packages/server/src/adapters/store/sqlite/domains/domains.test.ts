import {
  createDomainModel,
  type DomainModel,
} from '@catalog/core/conformance/domains/domain-model.conformance';
import {
  domainTablesConformance,
  fillTables,
  TABLED_LAYERS,
} from '@catalog/core/conformance/domains/domain-tables.conformance';
import { domainsConformance } from '@catalog/core/conformance/domains/domains.conformance';
import { renderDomainMap } from '@catalog/core/domain/render-domain-map';
import type { Tenant } from '@catalog/core/ports/tenant';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openConnection, type Connection } from '../connection/connection.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/table.ts';
import { openSqliteStore } from '../open-store.ts';
import { domainReads } from './domains.ts';
import { storeWrites } from '../sub-stores.ts';
import { beginTransaction } from '../transaction.ts';

domainsConformance(() => openSqliteStore({ path: ':memory:' }));

interface Tables {
  connection: Connection;
  statements: Set<string>;
  model: DomainModel;
}

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
    domains: domainReads(async (step) => step(watched)),
    async transaction<Result>(
      work: (writes: ReturnType<typeof storeWrites>) => Promise<Result>,
    ): Promise<Result> {
      const transaction = beginTransaction(watched, revisions);
      const result = await work(storeWrites(transaction, async () => 0));
      transaction.commit();
      return result;
    },
  };
  return { connection, statements, model: createDomainModel(store, 1) };
}

async function readAll(model: DomainModel): Promise<void> {
  const request = { path: '', discovery: { fold_below_artifacts: 3 } };
  await renderDomainMap(model.reader(TABLED_LAYERS), request);
  await renderDomainMap(model.reader(TABLED_LAYERS), { path: 'a' });
  await model.reader(TABLED_LAYERS).getMembers({ path: 'a', folded: ['a/b'] }, ['c/z', 'a/b/y']);
  await model.reader(TABLED_LAYERS).listTags('', 10);
  await model.search(TABLED_LAYERS, { query: 'letters', scope: '', top_k: 10 });
}

describe('domain tables', () => {
  domainTablesConformance(async () => {
    const { connection, model } = openTables();
    const countRows = async (table: string): Promise<number> =>
      connection.statement<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    return { model, countRows };
  });

  test('are only accessed by index lookups, never by wide scans', async () => {
    const { connection, statements, model } = openTables();
    await fillTables(model);
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
});

function isWide(detail: string): boolean {
  if (detail.startsWith('SCAN')) return !detail.includes('VIRTUAL TABLE');
  if (detail.includes(' EXISTS ')) return false;
  return /\((?:tenant=\?(?: AND layer=\?)?)\)/.test(detail);
}
