import { embedText } from '@catalog/testkit/test-embedder';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SearchDocument } from '../../ports/search-index.ts';
import type { Store } from '../../ports/store.ts';
import { hybridSearch, type HybridReads } from '../../search/hybrid-search.ts';
import { openForTest, type OpenStore } from '../samples.conformance.ts';

const TENANT = 1;
const LAYERS = [1, 2, 3];
const MODEL = { name: 'm', dimensions: 16 };
const RUNS = 30;
const LONG_MS = 120_000;
const WORDS = ['deploy', 'release', 'review', 'invoice', 'audit'];

const texts = fc.array(fc.constantFrom(...WORDS, 'other'), { maxLength: 3 });
/** Documents of few words, so that many have equal scores. Some have no vector. */
const documents = fc.array(
  fc.record({
    layer: fc.constantFrom(...LAYERS),
    type: fc.constantFrom('skill', 'rule'),
    text: texts.map((words) => words.join(' ')),
    has_vector: fc.boolean(),
  }),
  { minLength: 1, maxLength: 400, size: 'max' },
);
const queries = fc.record({
  query: fc.array(fc.constantFrom(...WORDS, 'nowhere'), { minLength: 1, maxLength: 3 }),
  type: fc.constantFrom('', 'rule'),
  scope: fc.constantFrom('', 'd/1'),
  top_k: fc.constantFrom(1, 10, 50),
});
type Kept = typeof documents extends fc.Arbitrary<infer Values> ? Values : never;

async function fill(store: Store, kept: Kept): Promise<void> {
  await store.vectors.addModel(MODEL);
  for (const layer of LAYERS) {
    const own = kept.flatMap(({ text, type, has_vector, ...each }, at) => {
      const id = `d/${at % 3}/a${at}`;
      const document: SearchDocument = {
        id,
        type,
        tags: [],
        name: '',
        description: text,
        when_to_use: [],
      };
      return each.layer === layer ? [{ id, document, text, has_vector }] : [];
    });
    await store.transaction(({ search }) =>
      search.putDocuments(
        TENANT,
        layer,
        own.map(({ document }) => document),
      ),
    );
    const vectors = own
      .filter(({ has_vector }) => has_vector)
      .map(({ id, text }) => ({ id, vector: embedText(text, MODEL.dimensions) }));
    await store.vectors.putVectors(TENANT, { layer, kind: 'artifact', model: MODEL.name }, vectors);
  }
}

function onFailure(cause: unknown): void {
  throw new Error('the vectors have to answer', { cause });
}

export interface FusedSearchOptions {
  /**
   * Number of candidates by words. A value below or above the width of a sequential search tests both ways (ADR-0054).
   */
  by_words: number;
}

export function fusedSearchConformance(
  open: OpenStore,
  { by_words }: FusedSearchOptions = { by_words: 500 },
): void {
  describe('search by words and vectors', () => {
    test(
      'returns the same in one pass as two separate searches',
      async () => {
        await fc.assert(
          fc.asyncProperty(documents, queries, async (kept, { query: words, ...filters }) => {
            const store = await open();
            try {
              await fill(store, kept);
              const query = { ...filters, query: words.join(' '), tags: [] };
              const embedQuery = async () => {
                const vector = embedText(query.query, MODEL.dimensions);
                return {
                  model: MODEL.name,
                  vector,
                  floor: 0.3,
                  least_nearest: 0,
                  fusion: 'cosine',
                } as const;
              };
              const search = (vectors: HybridReads['vectors']) =>
                hybridSearch(
                  { search: store.search, vectors, ask: embedQuery, onFailure },
                  TENANT,
                  LAYERS,
                  query,
                );
              const together = await search(store.vectors);
              const arms = await search({
                searchVectors: (...args) => store.vectors.searchVectors(...args),
                compareVectors: (...args) => store.vectors.compareVectors(...args),
              });
              expect(together).toEqual(arms);
            } finally {
              await store.close();
            }
          }),
          { numRuns: RUNS },
        );
      },
      LONG_MS,
    );

    test('finds documents that match both, even if they rank low in each', async () => {
      const store = await openForTest(open);
      await store.vectors.addModel(MODEL);
      const groups: [name: string, length: number, description: string, similarity: number][] = [
        ['words', by_words, 'deploy deploy deploy', -0.9],
        ['near', 120, 'something else', 0.5],
        ['both', 120, 'deploy something else', 0.45],
      ];
      for (const [name, length, description, similarity] of groups) {
        const ids = Array.from({ length }, (_, at) => `${name}/a${at}`);
        const own = { type: 'rule', tags: [], name: '', description, when_to_use: [] };
        await store.transaction(({ search }) =>
          search.putDocuments(
            TENANT,
            1,
            ids.map((id) => ({ id, ...own })),
          ),
        );
        await store.vectors.putVectors(
          TENANT,
          { layer: 1, kind: 'artifact', model: MODEL.name },
          ids.map((id) => ({ id, vector: vectorAt(similarity) })),
        );
      }
      const { search, vectors } = store;
      const embedQuery = async () =>
        ({
          model: MODEL.name,
          vector: vectorAt(1),
          floor: 0.3,
          least_nearest: 0,
          fusion: 'cosine',
        }) as const;
      const query = { query: 'deploy', type: '', tags: [], scope: '', top_k: 10 };
      const answer = await hybridSearch(
        { search, vectors, ask: embedQuery, onFailure },
        TENANT,
        [1],
        query,
      );
      expect(answer.hits.map(({ id }) => id.split('/')[0])).toEqual(Array(10).fill('both'));
      expect(answer.total_matched).toBe(by_words + 120 + 100);
    });
  });
}

function vectorAt(cosine: number): Float32Array {
  const vector = new Float32Array(MODEL.dimensions);
  vector.set([cosine, Math.sqrt(1 - cosine * cosine)]);
  return vector;
}
