import type { Discovery } from '@catalog/consumer/discover/discovery';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import { expect, test } from 'vitest';
import { placeInSearch, type SearchPlace } from './place-in-search.ts';

function createDiscovery(similarity: number | null, degraded: boolean): Discovery {
  return {
    searchArtifacts: async ({ query = '' }): Promise<SearchResponse> => {
      const isFound = query === '' || query === 'check';
      const result = {
        id: 'ops/check',
        type: 'skill',
        version: '1.0.0',
        score: 0.75,
        description: 'Verify a release.',
        tags: [],
        explanation: { terms: ['check'], lexical: 1, similarity, layer: 'base' },
      };
      return {
        query,
        total_matched: isFound ? 1 : 0,
        results: isFound ? [result] : [],
        ...(degraded ? { degraded } : {}),
      };
    },
    listVersions: async ({ id }) => {
      if (id !== 'ops/check') throw new CatalogError('registry.not_found', 'There is none.');
      const version = {
        version: '1.0.0',
        layer: 'base',
        content_hash: `sha256:${'0'.repeat(64)}`,
        deprecated: false,
        withdrawn: false,
        latest: true,
        ingested_at: '',
      };
      return { id, versions: [version] };
    },
    loadArtifact: () => Promise.reject(new Error('nothing is loaded')),
    loadDomain: () => Promise.reject(new Error('nothing is loaded')),
    loadLineage: () => Promise.reject(new Error('nothing is loaded')),
  };
}

function place(discovery: Discovery, id: string): Promise<SearchPlace> {
  return placeInSearch(discovery, { id, query: 'soup' }, new AbortController().signal);
}

test.each([
  [null, false, 'not-embedded'],
  [0.4, false, 'unrelated'],
  // Without vector search, it is unknown whether the artifact has a vector.
  [null, true, 'unrelated'],
] as const)(
  'returns for similarity %s and degraded %s the verdict %s',
  async (similarity, degraded, verdict) => {
    const found = await place(createDiscovery(similarity, degraded), 'ops/check');
    expect(found).toMatchObject({ verdict, degraded, rank: null, layers: ['base'] });
  },
);

test('returns only the verdict `absent` for an artifact that the caller cannot see', async () => {
  expect(await place(createDiscovery(0.4, false), 'ops/hidden')).toMatchObject({
    verdict: 'absent',
    layers: [],
    result: null,
  });
});
