import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import { reembed } from '@catalog/contract/endpoints/search-index';
import type { SearchFacets, SearchResponse } from '@catalog/contract/records/discovery';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';

const TYPES = ['agent', 'rule', 'context'] as const;
const TAGS = ['x', 'y', 'z'] as const;
const DOMAINS = ['ops', 'ops/deep', 'finance', 'legal'] as const;
const WORDS = ['contract', 'review', 'invoice', 'deploy', 'audit', 'release', 'kitchen'] as const;
const LONG_MS = 120_000;

interface Artifact {
  type: (typeof TYPES)[number];
  tags: readonly string[];
  domain: string;
  words: readonly string[];
  harness: string | undefined;
  deprecated: boolean;
}

const anyArtifact: fc.Arbitrary<Artifact> = fc.record({
  type: fc.constantFrom(...TYPES),
  tags: fc.subarray([...TAGS]),
  domain: fc.constantFrom(...DOMAINS),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
  harness: fc.constantFrom(undefined, undefined, 'cursor', 'codex'),
  deprecated: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
});

function filesOf(artifacts: readonly Artifact[], from: number): Record<string, string> {
  return Object.fromEntries(
    artifacts.map(({ type, tags, domain, words, harness, deprecated }, at) => {
      const lines = [
        `type: ${type}`,
        `name: a${from + at}`,
        'version: 1.0.0',
        `description: All about ${words.join(' and ')}.`,
        `tags: [${tags.join(', ')}]`,
        ...(harness === undefined ? [] : [`target_harnesses: [${harness}]`]),
        ...(deprecated ? ['deprecated: true'] : []),
        ...(type === 'rule' ? ['rule_mode: always'] : []),
      ];
      return [`${domain}/a${from + at}/ARTIFACT.md`, `---\n${lines.join('\n')}\n---\nText.\n`];
    }),
  );
}

async function serve(artifacts: readonly Artifact[]): Promise<RegistryServer> {
  const half = Math.floor(artifacts.length / 2);
  const server = await startRegistry({
    layers: {
      base: filesOf(artifacts.slice(0, half), 0),
      team: filesOf(artifacts.slice(half), half - 5),
    },
  });
  await server.call(reembed, { query: { only_missing: 'true' } });
  await vi.waitFor(async () => {
    const { degraded } = await server.call(searchArtifacts, { query: { query: 'anything' } });
    expect(degraded).toBeUndefined();
  }, LONG_MS / 2);
  return server;
}

type Choice = Partial<Record<'type' | 'tags' | 'scope' | 'layer' | 'harness', string>>;

async function search(
  server: RegistryServer,
  query: string,
  choice: Choice,
): Promise<SearchResponse & { facets: SearchFacets }> {
  const parameters = { query, facets: 'true', top_k: 1, ...choice };
  const { facets, ...found } = await server.call(searchArtifacts, { query: parameters });
  if (facets === undefined) return expect.unreachable('facets were requested');
  return { ...found, facets };
}

const GROUPS = [
  ['type', 'type'],
  ['tag', 'tags'],
  ['layer', 'layer'],
  ['domain', 'scope'],
] as const;

async function checkFacets(server: RegistryServer, query: string, choice: Choice): Promise<void> {
  const before = await search(server, query, choice);
  const isEstimated = before.facets.estimated === true;
  for (const [facet, argument] of GROUPS) {
    const counts = before.facets[facet];
    for (const [value, count] of Object.entries(counts)) {
      const chosen = choice[argument];
      const next = facet === 'tag' && chosen !== undefined ? `${chosen},${value}` : value;
      const after = await search(server, query, { ...choice, [argument]: next });
      const what = JSON.stringify({ query, choice, facet, value });
      if (!isEstimated && after.total_estimated !== true) {
        expect(after.total_matched, what).toBe(count);
      } else expect(after.total_matched, what).toBeGreaterThanOrEqual(count);
      const isFirst = chosen === undefined;
      if (isFirst) expect(after.total_matched, what).toBeLessThanOrEqual(before.total_matched);
    }
  }
}

const anyChoice: fc.Arbitrary<Choice> = fc.record(
  {
    type: fc.constantFrom('agent', 'agent,rule'),
    tags: fc.constantFrom('x', 'x,y'),
    scope: fc.constantFrom('ops', 'finance,ops/deep', 'ops,ops/deep'),
    layer: fc.constantFrom('team', 'base,team'),
    harness: fc.constantFrom('cursor', 'claude-code'),
  },
  { requiredKeys: [] },
);
const anyQuery = fc
  .array(fc.constantFrom(...WORDS, 'agreement', 'zzqx'), { maxLength: 3 })
  .map((words) => words.join(' '));

test.each([
  ['few', 60, 6],
  ['more than the facets count', 1_150, 3],
])(
  'the count of a facet value equals the total after selecting it: %s artifacts',
  async (_name, size, runs) => {
    const [artifacts = []] = fc.sample(
      fc.array(anyArtifact, { minLength: size, maxLength: size }),
      { numRuns: 1, seed: 7 },
    );
    const server = await serve(artifacts);
    await fc.assert(
      fc.asyncProperty(anyQuery, anyChoice, (query, choice) => checkFacets(server, query, choice)),
      { numRuns: runs, endOnFailure: true },
    );
  },
  LONG_MS,
);

test(
  'filters only remove matches, and several values of a filter are alternatives',
  async () => {
    const [artifacts = []] = fc.sample(fc.array(anyArtifact, { minLength: 80, maxLength: 80 }), {
      numRuns: 1,
      seed: 11,
    });
    const server = await serve(artifacts);
    const idsOf = async (query: string, choice: Choice): Promise<Set<string>> => {
      const parameters = { query, top_k: 50, ...choice };
      const pages = await Promise.all(
        [0, 50].map((offset) => server.call(searchArtifacts, { query: { ...parameters, offset } })),
      );
      return new Set(pages.flatMap(({ results }) => results.map(({ id }) => id)));
    };
    const union = (sets: readonly ReadonlySet<string>[]): string[] => [
      ...new Set(sets.flatMap((ids) => [...ids])),
    ];
    const sorted = (ids: Iterable<string>): string[] => [...ids].toSorted();
    for (const query of ['contract review', 'legal agreement', 'cook a meal', '']) {
      const all = sorted(await idsOf(query, {}));
      const [agents, rules, contexts] = await Promise.all([
        idsOf(query, { type: 'agent' }),
        idsOf(query, { type: 'rule' }),
        idsOf(query, { type: 'context' }),
      ]);
      expect(sorted(union([agents, rules, contexts])), query).toEqual(all);
      const both = await idsOf(query, { type: 'agent, rule' });
      expect(sorted(both), query).toEqual(sorted(union([agents, rules])));
      const ops = await idsOf(query, { scope: 'ops' });
      expect(await idsOf(query, { scope: 'ops/deep,ops' }), query).toEqual(ops);
      const layers = await Promise.all(['base', 'team'].map((layer) => idsOf(query, { layer })));
      expect(sorted(union(layers)), query).toEqual(all);
      expect(all, query).toEqual(expect.arrayContaining([...ops]));
    }
  },
  LONG_MS,
);

test(
  'a query without a known word finds nothing with any filter',
  async () => {
    const [artifacts = []] = fc.sample(fc.array(anyArtifact, { minLength: 30, maxLength: 30 }), {
      numRuns: 1,
      seed: 3,
    });
    const server = await serve(artifacts);
    for (const query of ['zzqx qqq', 'blorptang vexitide']) {
      for (const choice of [{}, { type: 'agent' }, { harness: 'cursor' }]) {
        const found = await search(server, query, choice);
        expect([found.total_matched, found.results]).toEqual([0, []]);
        expect(found.total_estimated).toBeUndefined();
      }
    }
  },
  LONG_MS,
);

test('a deprecated artifact is found only by its exact id', async () => {
  const old = (more: string): string =>
    `---\ntype: context\nname: a\nversion: 1.0.0\ndescription: How to release.\n${more}---\nText.\n`;
  const server = await startRegistry({
    layers: {
      base: {
        'ops/old/ARTIFACT.md': old('deprecated: true\n'),
        'ops/secret/ARTIFACT.md': old('deprecated: true\nsearch_visibility: direct-only\n'),
        'ops/new/ARTIFACT.md': old(''),
      },
    },
    settings: { no_embeddings: true },
  });
  const first = async (query: string, choice: Choice = {}): Promise<unknown> => {
    const { results } = await search(server, query, choice);
    const [result] = results;
    return result && { id: result.id, deprecated: result.deprecated };
  };
  expect(await first('ops/old')).toEqual({ id: 'ops/old', deprecated: true });
  expect(await first('ops/old', { type: 'agent' })).toBeUndefined();
  for (const query of ['release', 'ops/old x', 'ops/secret']) {
    expect(await first(query)).toEqual({ id: 'ops/new', deprecated: undefined });
  }
  const { total_matched, facets } = await search(server, 'ops/old', {});
  expect([total_matched, facets.type]).toEqual([2, { context: 2 }]);
});
