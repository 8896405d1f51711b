import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  DocumentKey,
  IndexSearchResult,
  SearchDocument,
  SearchQuery,
} from '../../ports/search-index.ts';
import type { Store } from '../../ports/store.ts';
import type { LayerStack } from '../../ports/versions.ts';
import { FIRST_KIND, indexKind } from '../../search/index-kind.ts';
import { referenceSearch, scoreDocument } from '../../search/reference-search.ts';
import { openForTest, newHead, type OpenStore } from '../samples.conformance.ts';
import { createSearchModel, type SearchModel } from './search-model.conformance.ts';

const TENANT = 1;
const LONG_MS = 60_000;

export function searchIndexConformance(open: OpenStore): void {
  describe('search index', () => {
    wordsConformance(open);
    identifiersConformance(open);
    prefixConformance(open);
    typoConformance(open);
    viewConformance(open);
    browseConformance(open);
    scoresConformance(open);
    historyConformance(open);
    languageConformance(open);
    sizeConformance(open);
  });
}

function wordsConformance(open: OpenStore): void {
  test('finds a word by its inflected forms, in any case, with or without accents', async () => {
    const { put, find } = await openModel(open);
    await put(1, [
      document('a/one', { description: 'Sends an invoice to the customer.' }),
      document('a/two', { description: 'Café menus' }),
      document('a/three', { name: 'parseHTTPHeader' }),
      document('a/four', { description: '請求書を作成する' }),
    ]);
    expect(await find([1], { query: 'invoices' })).toEqual(['a/one']);
    expect(await find([1], { query: 'INVOICING' })).toEqual(['a/one']);
    expect(await find([1], { query: 'cafe menu' })).toEqual(['a/two']);
    expect(await find([1], { query: 'header' })).toEqual(['a/three']);
    expect(await find([1], { query: 'parsehttpheader' })).toEqual(['a/three']);
    expect(await find([1], { query: '請求' })).toEqual(['a/four']);
    expect(await find([1], { query: '書' })).toEqual(['a/four']);
  });

  test('searches name, description, when_to_use, tags and the segments of the id', async () => {
    const { put, find } = await openModel(open);
    await put(1, [
      document('finance/x', {
        name: 'alpha',
        description: 'beta',
        when_to_use: ['gamma', 'delta'],
        tags: ['epsilon'],
      }),
    ]);
    for (const query of ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'finance']) {
      expect(await find([1], { query }), query).toEqual(['finance/x']);
    }
    expect(await find([1], { query: 'omicron' })).toEqual([]);
  });

  test('ranks a name above a description, and a rare word above a common one', async () => {
    const { put, find } = await openModel(open);
    await put(1, [
      document('a/in-text', { description: 'Mentions deploys somewhere in a text.' }),
      document('b/in-name', { name: 'deploy', description: 'Something else of that length.' }),
      ...Array.from({ length: 20 }, (_, index) =>
        document(`c/${index}`, { description: 'A common thing' }),
      ),
      document('d/rare', { description: 'A scarce matter' }),
    ]);
    expect(await find([1], { query: 'deploy' })).toEqual(['b/in-name', 'a/in-text']);
    expect((await find([1], { query: 'common scarce' })).at(0)).toBe('d/rare');
  });

  test('ignores stopwords in a query, unless it has no other words', async () => {
    const { put, find } = await openModel(open);
    await put(1, [
      document('a', { description: 'the who' }),
      document('b', { description: 'an invoice' }),
    ]);
    expect(await find([1], { query: 'how to the invoice' })).toEqual(['b']);
    expect(await find([1], { query: 'the who' })).toEqual(['a']);
    expect(await find([1], { query: '?!' })).toEqual([]);
  });
}

function identifiersConformance(open: OpenStore): void {
  test('finds identifiers by their parts, regardless of the separator', async () => {
    const { put, find } = await openModel(open);
    await put(1, [
      document('a/camel', { name: 'parseInvoiceLine' }),
      document('a/snake', { name: 'render_report_page' }),
      document('a/kebab', { name: 'rotate-signing-keys' }),
      document('a/dotted', { name: 'billing.ledger.v2' }),
      document('a/digits', { name: 'sha256sum' }),
    ]);
    expect(await find([1], { query: 'invoices' })).toEqual(['a/camel']);
    expect(await find([1], { query: 'parseinvoiceline' })).toEqual(['a/camel']);
    expect(await find([1], { query: 'parse-invoice-line' })).toEqual(['a/camel']);
    expect(await find([1], { query: 'reportPages' })).toEqual(['a/snake']);
    expect(await find([1], { query: 'signing_key' })).toEqual(['a/kebab']);
    expect(await find([1], { query: 'rotateSigningKeys' })).toEqual(['a/kebab']);
    expect(await find([1], { query: 'ledger' })).toEqual(['a/dotted']);
    expect(await find([1], { query: 'billing.ledger' })).toEqual(['a/dotted']);
    expect(await find([1], { query: 'SHA 256' })).toEqual(['a/digits']);
  });
}

function prefixConformance(open: OpenStore): void {
  test('treats an unknown last word as a prefix', async () => {
    const { put, find, search } = await openModel(open);
    await put(1, [
      document('a', { description: 'kubernetes manifests' }),
      document('b', { description: 'kubectl plugins' }),
      document('c', { description: 'invoices' }),
    ]);
    expect(await find([1], { query: 'kube' })).toEqual(['a', 'b']);
    expect(await find([1], { query: 'KUBER' })).toEqual(['a']);
    expect(await find([1], { query: 'invoices kub' })).toEqual(['c', 'a', 'b']);
    expect(await find([1], { query: 'kube ' })).toEqual([]);
    expect(await find([1], { query: 'kube invoices' })).toEqual(['c']);
    expect(await find([1], { query: 'ku' })).toEqual([]);
    const { terms } = await search([1], { query: 'invoices kube' });
    expect(terms.map((each) => [each.term, each.for])).toEqual([
      ['invoic', undefined],
      ['kubectl', 'kube'],
      ['kubernet', 'kube'],
    ]);
  });

  test('matches a known word exactly', async () => {
    const { put, find } = await openModel(open);
    await put(1, [
      document('a', { description: 'kubernetes' }),
      document('b', { description: 'kube' }),
    ]);
    expect(await find([1], { query: 'kube' })).toEqual(['b']);
  });

  test('expands a prefix to the eight most frequent words, ties in byte order', async () => {
    const { put, search } = await openModel(open);
    const words = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'ж', '\u{10428}'].map(
      (end) => `plan${end}k`,
    );
    await put(1, [
      ...words.map((each, at) => document(`w/${at}`, { description: each })),
      document('x/1', { description: 'planik' }),
    ]);
    const { terms } = await search([1], { query: 'plan' });
    expect(terms.map(({ term }) => term)).toEqual([
      'planik',
      'planak',
      'planbk',
      'planck',
      'plandk',
      'planek',
      'planfk',
      'plangk',
    ]);
  });
}

function typoConformance(open: OpenStore): void {
  test('corrects typos to the nearest known word if the query has no results', async () => {
    const { put, find, search } = await openModel(open);
    await put(1, [
      document('a', { description: 'deploys a service' }),
      document('b', { description: 'kubernetes manifests' }),
      document('c', { description: 'invoices' }),
    ]);
    for (const query of ['depoly', 'deplyo', 'dploy', 'depploy', 'deqloy', 'teploy']) {
      expect(await find([1], { query: `${query} ` }), query).toEqual(['a']);
    }
    expect(await find([1], { query: 'kubernetis' })).toEqual(['b']);
    expect(await find([1], { query: 'kubrenetse' })).toEqual(['b']);
    expect(await find([1], { query: 'invocies' })).toEqual(['c']);
    expect(await find([1], { query: 'depoly invocies' })).toEqual(['c', 'a']);
    expect(await find([1], { query: 'depoly it pleaze' })).toEqual(['a']);
    expect(await find([1], { query: 'invoice depoly ' })).toEqual(['c']);
    expect(await find([1], { query: 'dplyo' })).toEqual([]);
    const { terms } = await search([1], { query: 'depoly ' });
    expect(terms).toMatchObject([{ term: 'deploy', for: 'depoly' }]);
  });

  test('does not correct short words and numbers', async () => {
    const { put, find } = await openModel(open);
    await put(1, [document('a', { description: 'git 2024 sha256 npm' })]);
    for (const query of ['gti ', 'nmp ', '2023 ', '20244 ']) {
      expect(await find([1], { query }), query).toEqual([]);
    }
  });

  test('ignores words that only hidden layers contain', async () => {
    const { put, find, search, remove } = await openModel(open);
    await put(1, [document('a', { description: 'invoice' })]);
    const before = await search([1], { query: 'kube' });
    await put(2, [document('b', { description: 'kubernetes invoicing kuber' })]);
    expect(await search([1], { query: 'kube' })).toEqual(before);
    expect(await find([1], { query: 'kubernets' })).toEqual([]);
    expect(await find([1, 2], { query: 'kubenretes' })).toEqual(['b']);
    await remove(2, ['b']);
    expect(await find([1, 2], { query: 'kubenretes' })).toEqual([]);
  });

  test(
    'scores prefixes and corrected typos as the reference does',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ layer, documents: fc.array(nearDocument, { maxLength: 4 }) }), {
            maxLength: 4,
          }),
          fc.array(nearQuestion, { minLength: 4, maxLength: 8 }),
          async (writes, queries) => {
            const store = await open();
            try {
              const model = createSearchModel(store, TENANT);
              for (const { layer: at, documents } of writes) await model.put(at, documents);
              for (const { layers, query } of queries)
                await expectReference(model, layers, { query });
            } finally {
              await store.close();
            }
          },
        ),
        { numRuns: 40 },
      );
    },
    LONG_MS,
  );
}

function viewConformance(open: OpenStore): void {
  test('does not let hidden layers affect scores and counts', async () => {
    const { put, search } = await openModel(open);
    const query = { query: 'invoice report' };
    await put(1, [document('a', { description: 'invoice' }), document('b', { name: 'report' })]);
    const alone = await search([1], query);
    await put(2, [
      document('c', { description: 'invoice invoice' }),
      document('b', { description: 'report' }),
    ]);
    expect(await search([1], query)).toEqual(alone);
    expect((await search([1, 2], query)).total_matched).toBe(3);
  });

  test('uses only the highest visible layer of an id, indexed or not', async () => {
    const { put, putUnsearched, remove, search } = await openModel(open);
    const query = { query: 'invoice' };
    await put(1, [
      document('a', { description: 'invoice' }),
      document('b', { description: 'invoice' }),
    ]);
    await put(2, [document('a', { description: 'no match here' })]);
    await putUnsearched(3, ['b']);
    expect(await search([1], query)).toMatchObject({ total_matched: 2 });
    expect(await search([1, 2], query)).toMatchObject({ total_matched: 1, hits: [{ id: 'b' }] });
    expect(await search([2, 1], query)).toMatchObject({ total_matched: 2 });
    expect(await search([1, 2, 3], query)).toMatchObject({ total_matched: 0, hits: [] });
    expect(await search([1, 2, 3], { query: '' })).toMatchObject({ total_matched: 1 });
    await remove(2, ['a']);
    await remove(3, ['b']);
    expect(await search([1, 2, 3], query)).toMatchObject({ total_matched: 2 });
  });

  test('isolates tenants', async () => {
    const store = await openForTest(open);
    await store.transaction(async (writes) => {
      await writes.search.putDocuments(1, 1, [document('a', { description: 'invoice' })]);
      await writes.search.putDocuments(2, 1, [document('b', { description: 'invoice' })]);
      await writes.versions.putHeads(2, 9, [newHead({ id: 'a', layer: 9 })]);
    });
    const { hits } = await store.search.search(2, [1], { ...NOTHING, query: 'invoice' });
    expect(hits.map(({ id }) => id)).toEqual(['b']);
  });

  test('orders equal scores by precedence and then by id', async () => {
    const { put, find } = await openModel(open);
    const description = 'invoice';
    await put(
      1,
      ['c', 'a', 'z'].map((id) => document(id, { name: 'same', description })),
    );
    await put(
      2,
      ['y', 'd'].map((id) => document(id, { name: 'same', description })),
    );
    expect(await find([1, 2], { query: 'invoice' })).toEqual(['d', 'y', 'a', 'c', 'z']);
    expect(await find([2, 1], { query: 'invoice', top_k: 3 })).toEqual(['a', 'c', 'z']);
    expect(await find([2, 1], { query: 'invoice', top_k: 4 })).toEqual(['a', 'c', 'z', 'd']);
  });
}

function browseConformance(open: OpenStore): void {
  test('lists by id without a query, filtered by type, by all tags and by scope', async () => {
    const { put, find, search } = await openModel(open);
    await put(1, [
      document('ops/deploy', { type: 'rule', tags: ['x'] }),
      document('ops/deploy/ship', { tags: ['x', 'y'] }),
      document('ops/deploy-other', { tags: ['x', 'y'] }),
      document('opsx/a', { tags: ['y', 'x'] }),
    ]);
    await put(2, [document('ops/b', { tags: ['y'] })]);
    expect(await find([1, 2], {})).toEqual([
      'ops/b',
      'ops/deploy',
      'ops/deploy-other',
      'ops/deploy/ship',
      'opsx/a',
    ]);
    expect(await find([1, 2], { scope: 'ops/deploy' })).toEqual(['ops/deploy', 'ops/deploy/ship']);
    expect(await find([1, 2], { scope: 'ops', top_k: 2 })).toEqual(['ops/b', 'ops/deploy']);
    expect(await find([1, 2], { type: 'rule' })).toEqual(['ops/deploy']);
    expect(await find([1, 2], { tags: ['x', 'y'], scope: 'ops' })).toEqual([
      'ops/deploy-other',
      'ops/deploy/ship',
    ]);
    expect(await find([1, 2], { tags: ['nothing'] })).toEqual([]);
    expect(await search([1, 2], { top_k: 1 })).toMatchObject({ total_matched: 5, bound: 0 });
    expect(await find([], {})).toEqual([]);
  });
}

function scoresConformance(open: OpenStore): void {
  test('scoreDocuments returns the same scores as a search, for matching and other documents', async () => {
    const model = await openModel(open);
    await model.put(1, [
      document('a', { description: 'invoice report' }),
      document('b', { description: 'something else' }),
      document('c', { name: 'report' }),
    ]);
    await model.put(2, [document('a', { description: 'invoice' })]);
    const { terms, hits } = await model.search([1], { query: 'invoice report absent' });
    const keys = [
      ...['a', 'b', 'c', 'gone'].map((id) => ({ layer: 1, id })),
      { layer: 2, id: 'a' },
      { layer: 3, id: 'a' },
    ];
    const scored = await model.score(terms, keys);
    const scores = new Map(scored.map((each) => [`${each.layer} ${each.id}`, each]));
    expect([...scores.keys()].toSorted()).toEqual(['1 a', '1 b', '1 c', '2 a']);
    expect(scores.get('1 a')?.matched).toEqual(['invoic', 'report']);
    expect(scores.get('1 b')).toMatchObject({ score: 0, matched: [] });
    for (const { layer, id, score } of hits) {
      expect(scores.get(`${layer} ${id}`)?.score).toBe(score);
    }
    expect(await model.score(terms, [])).toEqual([]);
    expect(await model.score([], [{ layer: 1, id: 'a' }])).toEqual([
      { layer: 1, id: 'a', score: 0, matched: [] },
    ]);
  });

  test('scoreDocuments is limited to its tenant', async () => {
    const { store, put } = await openModel(open);
    await put(1, [document('a', { description: 'invoice' })]);
    const terms = [{ term: 'invoic', rarity: 1, for: undefined }];
    expect(await store.search.scoreDocuments(2, terms, [{ layer: 1, id: 'a' }])).toEqual([]);
  });
}

function historyConformance(open: OpenStore): void {
  test('transactions see their own writes, and a rollback leaves no trace', async () => {
    const { store, put, search, find } = await openModel(open);
    await put(1, [document('a', { description: 'invoice' })]);
    const before = await search([1], { query: 'invoice' });
    const failed = store.transaction(async (writes) => {
      await writes.search.putDocuments(TENANT, 1, [document('b', { description: 'invoice' })]);
      await writes.search.removeDocuments(TENANT, 1, ['a']);
      const query = { ...NOTHING, query: 'invoice' };
      const { hits } = await writes.search.search(TENANT, [1], query);
      expect(hits.map(({ id }) => id)).toEqual(['b']);
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await search([1], { query: 'invoice' })).toEqual(before);
    expect(await find([1], {})).toEqual(['a']);
  });

  test('transactions see immediately that a write hides a document', async () => {
    const { store, put } = await openModel(open);
    await put(1, [document('a', { description: 'invoice' })]);
    const counts = await store.transaction(async (writes) => {
      const count = async (): Promise<number> => {
        const answer = await writes.search.search(TENANT, [1, 2], { ...NOTHING, query: 'invoice' });
        return answer.total_matched;
      };
      const before = await count();
      await writes.versions.putHeads(TENANT, 2, [newHead({ id: 'a', layer: 2 })]);
      const hidden = await count();
      await writes.versions.removeHeads(TENANT, 2, ['a']);
      return [before, hidden, await count()];
    });
    expect(counts).toEqual([1, 0, 1]);
  });

  test('purging a layer removes its documents', async () => {
    const { store, put, search } = await openModel(open);
    await put(1, [document('a', { description: 'invoice' })]);
    await put(2, [document('a', { description: 'invoice' })]);
    await store.transaction(({ layers }) => layers.purge(TENANT, 2));
    expect(await store.search.search(TENANT, [1, 2], { ...NOTHING, query: 'invoice' })).toEqual(
      await search([1], { query: 'invoice' }),
    );
  });

  test(
    'returns the same results as the reference after any history of writes',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(write, { maxLength: 12 }),
          fc.array(question),
          async (writes, queries) => {
            const store = await open();
            try {
              const model = createSearchModel(store, TENANT);
              for (const { kind, layer, ids, documents } of writes) {
                if (kind === 'put') await model.put(layer, documents);
                else if (kind === 'unsearched') await model.putUnsearched(layer, ids);
                else await model.remove(layer, ids);
              }
              for (const { layers, ...query } of queries)
                await expectReference(model, layers, query);
            } finally {
              await store.close();
            }
          },
        ),
        { numRuns: 60 },
      );
    },
    LONG_MS,
  );
}

function languageConformance(open: OpenStore): void {
  const english = FIRST_KIND;
  const none = indexKind('none');
  const documents = ['a', 'b', 'c'].map((id) =>
    document(id, { description: `invoices ${id}${id}` }),
  );
  const begin = { kinds: [english, none], renewed_before: { layer: 0, id: '' } };

  test('indexes terms in the configured language and returns the configuration', async () => {
    const model = await openModel(open);
    const { store, view } = model;
    const get = () => store.transaction(({ search }) => search.getIndexing(TENANT));
    expect((await get()).kinds).toEqual([english]);
    const indexing = { kinds: [none], renewed_before: { layer: 2, id: 'x/y' } };
    await store.transaction(({ search }) => search.setIndexing(TENANT, indexing));
    expect(await get()).toEqual(indexing);
    await model.put(1, documents);
    for (const query of ['invoices', 'invoice', 'invoicing', 'the aa', 'invoicse ']) {
      const queries = { ...NOTHING, query };
      expect(await model.answer([1], queries), query).toEqual(
        referenceSearch(view([1]), queries, 'none'),
      );
    }
    expect(await store.search.search(2, [1], { ...NOTHING, query: 'a' })).toMatchObject({
      hits: [],
    });
  });

  test('keeps all results while documents are indexed again', async () => {
    const { store, put, answer, view } = await openModel(open);
    const find = async (query: string): Promise<string[]> => {
      const { hits } = await answer([1], { ...NOTHING, query });
      return hits.map(({ id }) => id).toSorted();
    };
    await store.vectors.addModel({ name: 'test/one', dimensions: 2 });
    await put(1, documents);
    const vectors = documents.map(({ id }) => ({ id, vector: Float32Array.of(1, 0) }));
    const shelf = { layer: 1, kind: 'artifact' as const, model: 'test/one' };
    await store.vectors.putVectors(TENANT, shelf, vectors);
    await store.transaction(({ search }) => search.setIndexing(TENANT, begin));
    expect(await find('invoices')).toEqual(['a', 'b', 'c']);
    for (const each of documents) {
      await store.transaction(({ search }) => search.renewDocuments(TENANT, 1, [each]));
      expect(await find('invoices')).toEqual(['a', 'b', 'c']);
    }
    await put(1, [document('d', { description: 'invoices dd' })]);
    expect(await find('invoices')).toEqual(['a', 'b', 'c', 'd']);
    await store.transaction(({ search }) =>
      search.setIndexing(TENANT, { ...begin, kinds: [none] }),
    );
    expect(await find('invoic')).toEqual(['a', 'b', 'c', 'd']);
    expect(await find('invoic ')).toEqual([]);
    for (const query of ['invoices', 'invoices aa', 'bb']) {
      const queries = { ...NOTHING, query };
      expect(await answer([1], queries)).toEqual(referenceSearch(view([1]), queries, 'none'));
    }
    expect(await store.vectors.countVectors(TENANT, 'test/one')).toBe(3);
  });

  test('indexes only existing documents again', async () => {
    const { store, put, find } = await openModel(open);
    await put(1, documents.slice(0, 1));
    await store.transaction(({ search }) => search.renewDocuments(TENANT, 1, documents));
    await store.transaction(({ search }) => search.renewDocuments(TENANT, 2, documents));
    expect(await find([1, 2], { query: 'invoice' })).toEqual(['a']);
    expect(await find([1, 2], {})).toEqual(['a']);
  });
}

function sizeConformance(open: OpenStore): void {
  test(
    'returns the same results as the reference for thousands of documents',
    async () => {
      const model = await openModel(open);
      const words = ['invoice', 'report', 'release', 'common'];
      const made = Array.from({ length: 9_000 }, (_, index) =>
        document(`${index % 7}/${(index * 7919) % 9_001}`, {
          type: index % 3 === 0 ? 'rule' : 'skill',
          tags: index > 8_900 ? ['late'] : [],
          name: 'same',
          description: [words[index % 5] ?? '', index % 2 === 0 ? 'common' : ''].join(' '),
        }),
      );
      await model.put(1, made);
      await model.put(
        2,
        made.slice(10, 40).map((each) => ({ ...each, description: 'release' })),
      );
      await model.putUnsearched(
        3,
        made.slice(20, 50).map(({ id }) => id),
      );
      await model.remove(
        1,
        made.slice(4_000, 4_300).map(({ id }) => id),
      );
      await model.put(
        1,
        made.slice(100, 150).map((each) => ({ ...each, type: 'hook' })),
      );
      for (const query of [
        { query: 'common' },
        { query: 'common', top_k: 50, type: 'rule' },
        { query: 'release invoice report', scope: '3' },
        { query: 'same', tags: ['late'] },
        { type: 'rule', top_k: 50 },
        { type: 'hook' },
        { tags: ['late'], top_k: 50 },
        { scope: '5', type: 'skill' },
        { top_k: 50 },
      ]) {
        await expectReference(model, [1, 2, 3], query);
      }
    },
    LONG_MS,
  );
}

const NOTHING: SearchQuery = { query: '', type: '', tags: [], scope: '', top_k: 10 };

interface OpenModel extends SearchModel {
  store: Store;
  search: (layers: LayerStack, query: Partial<SearchQuery>) => Promise<IndexSearchResult>;
  find: (layers: LayerStack, query: Partial<SearchQuery>) => Promise<string[]>;
}

async function openModel(open: OpenStore): Promise<OpenModel> {
  const store = await openForTest(open);
  const model = createSearchModel(store, TENANT);
  const search = (layers: LayerStack, query: Partial<SearchQuery>): Promise<IndexSearchResult> =>
    expectReference(model, layers, query);
  return {
    ...model,
    store,
    search,
    find: async (layers, query) => (await search(layers, query)).hits.map(({ id }) => id),
  };
}

async function expectReference(
  model: SearchModel,
  layers: LayerStack,
  given: Partial<SearchQuery>,
): Promise<IndexSearchResult> {
  const query = { ...NOTHING, ...given };
  const answer = await model.answer(layers, query);
  expect(answer, JSON.stringify({ layers, query })).toEqual(
    referenceSearch(model.view(layers), query),
  );
  await expectScores(model, layers, answer);
  return answer;
}

const SCORED_DOCUMENTS = 200;

async function expectScores(
  model: SearchModel,
  layers: LayerStack,
  { terms }: IndexSearchResult,
): Promise<void> {
  const expected = model
    .view(layers)
    .flatMap(({ number, documents }) => documents.map((each) => scoreDocument(number, each, terms)))
    .slice(-SCORED_DOCUMENTS);
  const scored = await model.score(terms, expected);
  expect(scored.sort(byKey)).toEqual(expected.sort(byKey));
}

function byKey(a: DocumentKey, b: DocumentKey): number {
  return a.layer - b.layer || (a.id < b.id ? -1 : 1);
}

function document(id: string, given: Partial<SearchDocument> = {}): SearchDocument {
  return {
    id,
    type: 'skill',
    tags: [],
    name: id.slice(id.lastIndexOf('/') + 1),
    description: '',
    when_to_use: [],
    ...given,
  };
}

const LAYERS = [1, 2, 3];
const layer = fc.constantFrom(...LAYERS);
const id = fc.constantFrom('a', 'a/b', 'a/b/c', 'a/bc', 'b/x', 'b/y', 'é/ü', '\u{1F600}/\uFFFD');
const word = fc.constantFrom('invoice', 'invoices', 'Report', 'gitHub', '請求書', 'the', 'x2y', '');
const tags = fc.subarray(['x', 'y', 'a b', 'in:a']);
const anyDocument: fc.Arbitrary<SearchDocument> = fc.record({
  id,
  type: fc.constantFrom('skill', 'rule'),
  tags,
  name: word,
  description: fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
  when_to_use: fc.array(word, { maxLength: 2 }),
});
const write = fc.record({
  kind: fc.constantFrom('put', 'put', 'unsearched', 'remove'),
  layer,
  ids: fc.array(id, { maxLength: 4 }),
  documents: fc.array(anyDocument, { maxLength: 6 }),
});
const question = fc.record({
  layers: fc.shuffledSubarray(LAYERS),
  query: fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
  type: fc.constantFrom('', '', 'skill', 'rule'),
  tags: fc.oneof(fc.constant([]), tags),
  scope: fc.constantFrom('', '', 'a', 'a/b', 'é'),
  top_k: fc.integer({ min: 1, max: 5 }),
});

/** Words of few letters, so that many of them are similar. */
const nearWord = fc.stringMatching(/^[abé]{2,4}[abcd]{0,5}$/);
const nearDocument: fc.Arbitrary<SearchDocument> = fc
  .record({ id, description: fc.array(nearWord, { maxLength: 6 }) })
  .map((given) => document(given.id, { description: given.description.join(' ') }));
const nearQuestion = fc.record({
  layers: fc.shuffledSubarray(LAYERS),
  query: fc
    .record({ words: fc.array(nearWord, { minLength: 1, maxLength: 3 }), ended: fc.boolean() })
    .map(({ words, ended }) => words.join(' ') + (ended ? ' ' : '')),
});
