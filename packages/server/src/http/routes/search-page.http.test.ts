import { loadDomain, searchArtifacts } from '@catalog/contract/endpoints/discovery';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';

function rule(name: string, more = ''): string {
  return `---\ntype: rule\nname: ${name}\nversion: 1.0.0\ndescription: How to release ${name}.\n${more}---\nText.\n`;
}

const BASE = {
  'ops/a/ARTIFACT.md': rule('a', 'tags: [x, y]\n'),
  'ops/b/ARTIFACT.md': rule('b', 'tags: [x]\ntarget_harnesses: [cursor]\n'),
  'ops/deep/c/ARTIFACT.md': rule('c').replace('type: rule', 'type: context'),
};
const TEAM = { 'team/d/ARTIFACT.md': rule('d', 'when_to_use: [Before a launch]\n') };

/** Embeddings are disabled, because vectors that arrive between two requests would change the order. */
const serve = (): Promise<RegistryServer> =>
  startRegistry({ layers: { base: BASE, team: TEAM }, settings: { no_embeddings: true } });

async function idsOf(server: RegistryServer, query: object): Promise<string[]> {
  const { results } = await server.call(searchArtifacts, { query: { query: 'release', ...query } });
  return results.map(({ id }) => id);
}

test('search results are paged in their order', async () => {
  const server = await serve();
  const all = await idsOf(server, {});
  expect(all).toHaveLength(4);
  for (const offset of [0, 1, 3, 4]) {
    expect(await idsOf(server, { offset, top_k: 2 })).toEqual(all.slice(offset, offset + 2));
  }
  const browse = { query: '', offset: 1, top_k: 2 };
  expect(await idsOf(server, browse)).toEqual(['ops/b', 'ops/deep/c']);
  const past = await server.request(searchArtifacts, { query: { offset: 200 } });
  expect(past).toMatchObject({ status: 400, body: { code: 'registry.invalid_argument' } });
});

test.each([
  [{ layer: 'team' }, ['team/d']],
  [{ layer: 'none' }, []],
  [{ harness: 'codex' }, ['ops/a', 'ops/deep/c', 'team/d']],
  [{ harness: 'codex', layer: 'base', tags: 'x' }, ['ops/a']],
])('the filter %j finds %j', async (query, expected) => {
  const server = await serve();
  expect((await idsOf(server, query)).toSorted()).toEqual(expected);
  const found = await server.call(searchArtifacts, { query: { query: 'release', ...query } });
  expect(found.total_matched).toBe(expected.length);
});

test('facets count all results, not only the page', async () => {
  const server = await serve();
  const query = { query: 'release', facets: 'true', top_k: 1 };
  const { results, facets } = await server.call(searchArtifacts, { query });
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({ layer: expect.any(String), updated_at: expect.any(String) });
  expect(facets).toEqual({
    results: 4,
    type: { rule: 3, context: 1 },
    tag: { x: 2, y: 1 },
    layer: { base: 3, team: 1 },
    domain: { ops: 3, team: 1 },
  });
  const narrowed = await server.call(searchArtifacts, { query: { ...query, layer: 'team' } });
  expect(narrowed.facets).toEqual({
    results: 1,
    type: { rule: 1 },
    tag: {},
    layer: { base: 3, team: 1 },
    domain: { team: 1 },
  });
});

test('an explanation lists the matching fields', async () => {
  const server = await serve();
  const fieldsOf = async (query: string, id: string) => {
    const parameters = { query, explain: 'true' };
    const { results } = await server.call(searchArtifacts, { query: parameters });
    return results.find((result) => result.id === id)?.explanation?.fields;
  };
  expect(await fieldsOf('release', 'ops/a')).toEqual(['description']);
  expect(await fieldsOf('launch', 'team/d')).toEqual(['when_to_use']);
  expect(await fieldsOf('team', 'team/d')).toEqual(['id']);
});

test('a domain map counts artifacts if counts=true', async () => {
  const server = await serve();
  const plain = await server.call(loadDomain, { query: { path: '', depth: 2 } });
  expect(JSON.stringify(plain)).not.toContain('_count');
  const counted = await server.call(loadDomain, { query: { path: '', depth: 2, counts: 'true' } });
  expect(counted).toMatchObject({ artifact_count: 0, recursive_count: 4 });
  expect(
    counted.subdomains.map(({ path, artifact_count, recursive_count }) => [
      path,
      artifact_count,
      recursive_count,
    ]),
  ).toEqual([
    ['ops', 2, 3],
    ['team', 1, 1],
  ]);
  const missing = await server.request(loadDomain, { query: { path: 'none', counts: 'true' } });
  expect(missing.status).toBe(404);
});
