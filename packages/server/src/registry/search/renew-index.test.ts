import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { FIRST_KIND, indexKind } from '@catalog/core/search/index-kind';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { renewIndex } from './renew-index.ts';

const SIGNAL = new AbortController().signal;
const NONE = indexKind('none');

const RULE = `---
type: rule
version: 1.0.0
name: x
rule_mode: always
description: Sends invoices.
---
Text.
`;

interface OpenIndex extends MemoryRegistry {
  find: (query: string) => Promise<string[]>;
  findDomains: (query: string) => Promise<string[]>;
  kinds: () => Promise<readonly string[]>;
}

async function openIndex(): Promise<OpenIndex> {
  const open = await openMemoryRegistry();
  onTestFinished(() => open.close());
  const { store } = open.registry;
  for (const [layer, count] of [
    ['one', 700],
    ['two', 3],
  ] as const) {
    await open.addLayer(layer);
    const ids = Array.from({ length: count }, (_, at) => `${layer}/x${at}`);
    await open.ingest(layer, {
      packages: Object.fromEntries(ids.map((id) => [id, { 'ARTIFACT.md': RULE }])),
      domains: { [layer]: '---\ndescription: Everything about invoices.\n---\n' },
    });
  }
  const layers = [1, 2];
  return {
    ...open,
    async find(query) {
      const parameters = { query, type: '', tags: [], scope: '', top_k: 1000 };
      return (await store.search.search(ONLY_TENANT, layers, parameters)).hits.map(({ id }) => id);
    },
    async findDomains(query) {
      const parameters = { query, scope: '', top_k: 10 };
      return (await store.domains.search(ONLY_TENANT, layers, parameters)).hits.map(
        ({ path }) => path,
      );
    },
    async kinds() {
      const indexing = await store.transaction(({ search }) => search.getIndexing(ONLY_TENANT));
      return indexing.kinds;
    },
  };
}

test('renewIndex rebuilds every artifact and domain, and does nothing if all are current', async () => {
  const { registry, find, findDomains, kinds } = await openIndex();
  expect(await find('invoicing ')).toHaveLength(703);
  await renewIndex(registry.store, ONLY_TENANT, NONE, SIGNAL);
  expect(await kinds()).toEqual([NONE]);
  expect(await find('invoicing ')).toEqual([]);
  expect(await find('invoices ')).toHaveLength(703);
  expect(await findDomains('invoicing ')).toEqual([]);
  expect(await findDomains('invoices')).toEqual(['one', 'two']);
  await renewIndex(registry.store, ONLY_TENANT, NONE, SIGNAL);
  expect(await find('invoices ')).toHaveLength(703);
});

test('resumes after an interruption, and searches find everything in the meantime', async () => {
  const { registry, find, findDomains, kinds } = await openIndex();
  const { store } = registry;
  let left = 2;
  const ending = new AbortController();
  const interrupted = {
    ...store,
    transaction: ((work) => {
      left -= 1;
      if (left === 0) ending.abort();
      return store.transaction(work);
    }) as typeof store.transaction,
  };
  await renewIndex(interrupted, ONLY_TENANT, NONE, ending.signal);
  expect(await kinds()).toEqual([FIRST_KIND, NONE]);
  expect(await find('invoices ')).toHaveLength(703);
  expect(await findDomains('invoices')).toEqual(['one', 'two']);
  const before = await store.transaction(({ search }) => search.getIndexing(ONLY_TENANT));
  expect(before.renewed_before).toMatchObject({ layer: 1 });
  await renewIndex(store, ONLY_TENANT, NONE, SIGNAL);
  expect(await kinds()).toEqual([NONE]);
  expect(await find('invoices ')).toHaveLength(703);
});

test('returns to a language after an interrupted switch to another', async () => {
  const { registry, find, kinds } = await openIndex();
  const { store } = registry;
  await store.transaction(({ search }) =>
    search.setIndexing(ONLY_TENANT, {
      kinds: [indexKind('english'), NONE],
      renewed_before: { layer: 2, id: '' },
    }),
  );
  await renewIndex(store, ONLY_TENANT, indexKind('english'), SIGNAL);
  expect(await kinds()).toEqual([indexKind('english')]);
  expect(await find('invoicing ')).toHaveLength(703);
});
