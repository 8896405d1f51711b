import { newHead, openForTest } from '@catalog/core/conformance/samples.conformance';
import { readDomain } from '@catalog/core/domain/read-domain';
import type { SearchDocument, SearchQuery } from '@catalog/core/ports/search-index';
import type { Store } from '@catalog/core/ports/store';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { domainReads } from '../domains/domains.ts';
import { openPostgresStore } from '../open-store.ts';
import { clientQueries, SESSION } from '../pool/pool.ts';
import type { Parameter } from '../../shared/parameter.ts';
import type { Queries, Run } from '../../shared/queries.ts';
import { searchReads } from './search.ts';
import { types } from '../pool/types.ts';
import { vectorIndex } from '../vectors/vectors.ts';

const TENANT = 1;
const MODEL = { name: 'm', dimensions: 2 };
const VECTOR = Float32Array.of(0.6, 0.8);
const NOTHING: SearchQuery = { query: '', type: '', tags: [], scope: '', top_k: 10 };

const words = ['kubernetes', 'kubrenetes', 'kuber', 'kubernetes operator'];
const searches: Partial<SearchQuery>[] = [
  ...words.map((query) => ({ query })),
  { scope: 'secret' },
  { scope: 'secret/tool' },
  { query: 'invoice', scope: 'secret' },
  { query: 'invoice', type: 'agent' },
  { type: 'agent' },
  { tags: ['covert'] },
];

test('search sends the same statements whether or not hidden documents match', async () => {
  const { dsn } = await temporaryDatabase();
  const store = await openForTest(() => openPostgresStore({ dsn }));
  await store.vectors.addModel(MODEL);
  await put(store, 1, 'open', { description: 'invoice', type: 'skill', tags: ['red'] });
  const record = await openRecorder(dsn);
  const runSearches = async (): Promise<Record<string, unknown>> => {
    const sent: Record<string, unknown> = {};
    for (const search of searches) {
      const query = { ...NOTHING, ...search };
      const vector = { model: MODEL.name, vector: VECTOR };
      const fused = { ...query, asked: vector, most_near: 10, floor: 0.1 };
      const ways: Record<string, (run: Run) => Promise<unknown>> = {
        words: (run) => searchReads({ run }).search(TENANT, [1], query),
        near: (run) => vectorIndex(run, run).searchVectors(TENANT, [1], { ...query, ...vector }),
        fused: async (run) => vectorIndex(run, run).searchFused?.(TENANT, [1], fused),
        domains: (run) => domainReads({ run }).search(TENANT, [1], query),
      };
      for (const [way, ask] of Object.entries(ways)) {
        sent[`${way} ${JSON.stringify(search)}`] = await record(ask);
      }
    }
    return sent;
  };
  const before = await runSearches();
  await put(store, 2, 'secret', {
    description: 'kubernetes operators',
    type: 'agent',
    tags: ['covert'],
  });
  expect(await runSearches()).toEqual(before);
}, 60_000);

test('search returns a total with the same precision with ten thousand hidden documents', async () => {
  const { dsn } = await temporaryDatabase();
  const store = await openForTest(() => openPostgresStore({ dsn }));
  await store.vectors.addModel(MODEL);
  await put(store, 1, 'shared', { description: 'invoice', type: 'skill', tags: ['red'] });
  const filterQueries = [
    { scope: 'shared' },
    { type: 'skill' },
    { tags: ['red'], scope: 'shared' },
  ];
  const runSearches = (): Promise<unknown> =>
    Promise.all(
      filterQueries.map((each) => store.search.search(TENANT, [1], { ...NOTHING, ...each })),
    );
  const before = await runSearches();
  const ids = Array.from({ length: 10_001 }, (_, place) => `shared/n${place}`);
  await store.transaction(async ({ versions, search }) => {
    const documents = ids.map((id) => newHead({ id, layer: 2, type: 'skill', tags: ['red'] }));
    await versions.putHeads(TENANT, 2, documents);
    await search.putDocuments(TENANT, 2, documents);
  });
  expect(await runSearches()).toEqual(before);
}, 60_000);

test('search looks up words by index, regardless of the size of the tenant', async () => {
  const { dsn } = await temporaryDatabase();
  const store = await openForTest(() => openPostgresStore({ dsn }));
  await store.vectors.addModel(MODEL);
  await put(store, 1, 'open', { description: 'invoice', type: 'skill', tags: ['red'] });
  const client = await connect(dsn);
  await client.query('SET enable_seqscan = off');
  const queries = clientQueries(client);
  const plans: string[] = [];
  const explaining: Queries = {
    ...queries,
    async rows(sql, ...parameters) {
      const plan = await queries.rows<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, ...parameters);
      plans.push(plan.map((row) => row['QUERY PLAN']).join('\n'));
      return queries.rows(sql, ...parameters);
    },
  };
  for (const search of searches) {
    const query = { ...NOTHING, ...search };
    await searchReads({ run: (_, step) => step(explaining) }).search(TENANT, [1], query);
  }
  const looked_up = plans.filter((plan) => plan.includes('search_frequencies'));
  expect(looked_up.length).toBeGreaterThan(words.length);
  for (const plan of looked_up) {
    expect(plan).toMatch(/search_frequencies_pkey .*\n +Index Cond: .*tenant = 1.*tid = /);
    expect(plan).toMatch(/search_terms_term .*\n +Index Cond: .*tenant = 1.*term/);
  }
});

async function put(
  store: Store,
  layer: number,
  path: string,
  has: Pick<SearchDocument, 'description' | 'type' | 'tags'>,
): Promise<void> {
  const id = `${path}/tool`;
  const text = `---\ndescription: All of ${has.description}.\n---\n`;
  const reading = readDomain({ path, bytes: new TextEncoder().encode(text) }, 'layer');
  if (reading.kind === 'refused') throw new Error('the fixture is refused');
  const { domain } = reading;
  await store.transaction(async ({ versions, search, domains }) => {
    await versions.putHeads(TENANT, layer, [newHead({ id, layer, ...has })]);
    await search.putDocuments(TENANT, layer, [{ ...has, id, name: 'tool', when_to_use: [] }]);
    await domains.putDomains(TENANT, layer, [{ path, text, domain }]);
    await domains.countHeads(TENANT, layer, { added: [id], removed: [] });
  });
  const model = MODEL.name;
  await store.vectors.putVectors(TENANT, { layer, kind: 'artifact', model }, [
    { id, vector: VECTOR },
  ]);
  await store.vectors.putVectors(TENANT, { layer, kind: 'domain', model }, [
    { id: path, vector: VECTOR },
  ]);
}

interface Statement {
  sql: string;
  parameters: unknown[];
}

async function openRecorder(
  dsn: string,
): Promise<(work: (run: Run) => Promise<unknown>) => Promise<Statement[]>> {
  const queries = clientQueries(await connect(dsn));
  return async (work) => {
    const sent: Statement[] = [];
    const note = (sql: string, parameters: Parameter[]): void => {
      sent.push({ sql, parameters: parameters.map(countWords) });
    };
    const noting: Queries = {
      ...queries,
      rows(sql, ...parameters) {
        note(sql, parameters);
        return queries.rows(sql, ...parameters);
      },
      row(sql, ...parameters) {
        note(sql, parameters);
        return queries.row(sql, ...parameters);
      },
      run(sql, ...parameters) {
        note(sql, parameters);
        return queries.run(sql, ...parameters);
      },
    };
    await work((_, step) => step(noting));
    return sent;
  };
}

async function connect(dsn: string): Promise<Client> {
  const options = SESSION.map((setting) => `-c ${setting}`).join(' ');
  const client = new Client({ connectionString: dsn, types, options });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("SELECT set_config('catalog.tenant', $1, false)", [String(TENANT)]);
  return client;
}

function countWords(parameter: Parameter): unknown {
  const isWords = Array.isArray(parameter) && parameter.some((each) => typeof each === 'string');
  return isWords ? parameter.length : parameter;
}
