import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Queries } from '../../shared/queries.ts';
import { listMembers } from './members.ts';
import { openDomainView } from './view.ts';

const DOMAINS = 20_000;
const LAYERS = Array.from({ length: 60 }, (_, index) => index + 1);
const FILL = `
  INSERT INTO domains (tenant, layer, artifact_count, recursive_count, file_count, parent, path)
    SELECT 1, 1 + n % ${LAYERS.length}, 10, 10, 0, 'ops', 'ops/d' || n
    FROM generate_series(1, ${DOMAINS}) n;
  INSERT INTO domain_members (tenant, layer, domain, id)
    SELECT tenant, layer, path, path || '/greet-' || n FROM domains, generate_series(1, 10) n`;

const AS_IF_LARGE = `
  SET min_parallel_index_scan_size = 0;
  SET parallel_setup_cost = 0;
  SET parallel_tuple_cost = 0;
  SET max_parallel_workers_per_gather = 8`;

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

function countRead(node: PlanNode, table: string): number {
  const own = node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0;
  return own + (node.Plans ?? []).reduce((sum, child) => sum + countRead(child, table), 0);
}

async function connect(dsn: string): Promise<Client> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("SET search_path = catalog; SET catalog.tenant = '1'");
  return client;
}

test('listMembers does not read every domain', async () => {
  const { dsn, migration_dsn } = await temporaryDatabase();
  const owner = await connect(migration_dsn);
  await owner.query(FILL);
  await owner.query('VACUUM (ANALYZE) domains, domain_members');
  const client = await connect(dsn);
  await client.query(AS_IF_LARGE);
  let read = 0;
  const queries: Queries = {
    async rows(sql, ...parameters) {
      const explained = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, parameters);
      read += countRead(explained.rows[0]['QUERY PLAN'][0].Plan, 'domains');
      return (await client.query(sql, parameters)).rows;
    },
    row: async (sql, ...parameters) => (await client.query(sql, parameters)).rows[0],
    run: () => Promise.reject(new Error('A list writes nothing.')),
    insert: () => Promise.reject(new Error('A list writes nothing.')),
  };
  const view = await openDomainView(queries, ONLY_TENANT, LAYERS);
  await listMembers(queries, view, { path: 'ops/d7', folded: [] }, '', 100);
  expect(read).toBeLessThan(100);
});
