import { join } from 'node:path';
import type { SearchDocument, SearchQuery } from '@catalog/core/ports/search-index';
import type { StoreReads } from '@catalog/core/ports/store';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPostingsCache, type TermPostings } from './postings-cache.ts';
import { openSqliteStore } from '../open-store.ts';

const TENANT = 1;
const LAYERS = [1, 2];
const WORDS = ['deploy', 'release', 'invoices'];

const layer = fc.constantFrom(...LAYERS);
const document = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  type: fc.constantFrom('skill', 'rule'),
  words: fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }),
});
const change = fc.record({
  kind: fc.constantFrom('put', 'remove', 'renew'),
  layer,
  documents: fc.array(document, { minLength: 1, maxLength: 3 }),
  commits: fc.boolean(),
});

const queries: SearchQuery[] = ['', 'rule'].flatMap((type) =>
  WORDS.map((query) => ({ query, type, tags: [], scope: '', top_k: 10 })),
);

function findAll({ search }: Pick<StoreReads, 'search'>): Promise<unknown[]> {
  return Promise.all(queries.map((query) => search.search(TENANT, LAYERS, query)));
}

function toDocument({ id, type, words }: { id: string; type: string; words: string[] }) {
  const own = { id, type, tags: [], name: '', when_to_use: [] };
  return { ...own, description: words.join(' ') } satisfies SearchDocument;
}

test('a search with cached postings finds the committed documents', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
      const store = await openSqliteStore({ path: join(temporaryFolder(), 'catalog.db') });
      try {
        for (const { kind, layer: changed, documents, commits } of changes) {
          const before = await findAll(store);
          const made = documents.map(toDocument);
          const ids = made.map(({ id }) => id);
          const undone = new Error('undone');
          const done = store.transaction(async ({ search }) => {
            if (kind === 'put') await search.putDocuments(TENANT, changed, made);
            else if (kind === 'remove') await search.removeDocuments(TENANT, changed, ids);
            else await search.renewDocuments(TENANT, changed, made);
            expect(await findAll(store)).toEqual(before);
            if (!commits) throw undone;
          });
          await (commits ? done : expect(done).rejects.toBe(undone));
          expect(await findAll(store)).toEqual(await store.transaction(findAll));
        }
      } finally {
        await store.close();
      }
    }),
    { numRuns: 60 },
  );
});

test('createPostingsCache returns entries that were put and not removed, within its size limit', () => {
  const MAX_BYTES = 8_000;
  const step = fc.record({
    kind: fc.constantFrom('put', 'put', 'put', 'forget'),
    layer,
    term: fc.constantFrom(...WORDS),
    stretches: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const kept = createPostingsCache(MAX_BYTES);
      const model = new Map<string, TermPostings>();
      const keys = LAYERS.flatMap((each) => WORDS.map((term) => ({ layer: each, term })));
      for (const { kind, layer: changed, term, stretches } of steps) {
        const key = { tenant: TENANT, layer: changed };
        if (kind === 'forget') {
          kept.forget([key]);
          for (const each of WORDS) model.delete(`${changed} ${each}`);
        } else {
          const postings = stretches.map((length, stretch) => ({
            stretch,
            postings: new Uint32Array(length),
          }));
          kept.put(key, term, postings);
          const name = `${changed} ${term}`;
          model.set(name, model.get(name) ?? postings);
        }
        let bytes = 0;
        for (const each of keys) {
          const found = kept.get({ tenant: TENANT, layer: each.layer }, each.term);
          if (found === undefined) model.delete(`${each.layer} ${each.term}`);
          else expect(found).toBe(model.get(`${each.layer} ${each.term}`));
          for (const { postings } of found ?? []) bytes += postings.byteLength;
        }
        expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
      }
    }),
  );
});

test('createPostingsCache keeps entries that fit', () => {
  const kept = createPostingsCache(2_000);
  const key = { tenant: TENANT, layer: 1 };
  for (let round = 0; round < 10; round += 1) {
    const postings = [{ stretch: 0, postings: new Uint32Array(100) }];
    kept.put(key, 'deploy', postings);
    expect(kept.get(key, 'deploy')).toBe(postings);
    expect(kept.get({ tenant: TENANT, layer: 2 }, 'deploy')).toBeUndefined();
    expect(kept.get({ tenant: 2, layer: 1 }, 'deploy')).toBeUndefined();
    kept.forget([key]);
    expect(kept.get(key, 'deploy')).toBeUndefined();
  }
});
