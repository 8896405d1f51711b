import { catalog } from '@catalog/contract/endpoints/discovery';
import { reorderLayers } from '@catalog/contract/endpoints/layers';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startRegistry, type RegistryClientView } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';

function rule(name: string, more = ''): string {
  return `---\ntype: rule\nname: ${name}\nversion: 1.0.0\ndescription: About ${name}.\n${more}---\nText.\n`;
}

const TREE = {
  'ops/check/ARTIFACT.md': rule('check', 'tags: [release, safety]\n'),
  'ops/deploy/ship/ARTIFACT.md': rule('ship', 'tags: [release]\ntarget_harnesses: [cursor]\n'),
  'ops/plan/ARTIFACT.md': rule('plan').replace('type: rule', 'type: context'),
  'old/ARTIFACT.md': rule('old', 'deprecated: true\n'),
};

async function readPages(face: RegistryClientView, query: object): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const page = await face.call(catalog, { query: { ...query, cursor } });
    pages.push(page.ids);
    expect(page.artifacts.map(({ id }) => id)).toEqual(page.ids);
    cursor = page.next_cursor;
    if (cursor === undefined) return pages;
  }
}

test('the catalog is listed by id in pages', async () => {
  const server = await startRegistry({ layers: { base: TREE } });
  expect(await readPages(server, { limit: 3 })).toEqual([
    ['old', 'ops/check', 'ops/deploy/ship'],
    ['ops/plan'],
  ]);
  expect(await readPages(server, { limit: 1, scope: 'ops' })).toEqual([
    ['ops/check'],
    ['ops/deploy/ship'],
    ['ops/plan'],
    [],
  ]);
  const { artifacts } = await server.call(catalog, { query: { limit: 2 } });
  expect(artifacts[1]).toEqual({
    id: 'ops/check',
    type: 'rule',
    summary: 'About check.',
    version: '1.0.0',
    layer: 'base',
    tags: ['release', 'safety'],
    deprecated: false,
    updated_at: expect.stringMatching(/^\d{4}-/),
  });
});

test.each([
  [{ type: 'context' }, ['ops/plan']],
  [{ tags: 'release' }, ['ops/check', 'ops/deploy/ship']],
  [{ tags: 'release, safety' }, ['ops/check']],
  [{ harness: 'codex' }, ['old', 'ops/check', 'ops/plan']],
  [{ harness: 'cursor', tags: 'release' }, ['ops/check', 'ops/deploy/ship']],
  [{ layer: 'base', type: 'context' }, ['ops/plan']],
  [{ layer: 'none' }, []],
  [{ updated_since: '2000-01-01T00:00:00+02:00', type: 'context' }, ['ops/plan']],
  [{ updated_since: '2999-01-01T00:00:00Z' }, []],
])('the filter %j returns %j', async (query, ids) => {
  const server = await startRegistry({ layers: { base: TREE } });
  expect(await readPages(server, query)).toEqual([ids]);
  const one = await readPages(server, { ...query, limit: 1 });
  expect(one.flat()).toEqual(ids);
});

test('a layer filter returns the artifacts it serves, without those hidden by a higher layer', async () => {
  const server = await startRegistry({ layers: { base: TREE } });
  const above = rule('check', 'extends: ops/check@1.0.0\n').replace('1.0.0', '2.0.0');
  await server.ingest({ 'ops/check/ARTIFACT.md': above }, { id: 'team' });
  expect(await readPages(server, { layer: 'team' })).toEqual([['ops/check']]);
  expect(await readPages(server, { layer: 'base' })).toEqual([
    ['old', 'ops/deploy/ship', 'ops/plan'],
  ]);
  await server.call(reorderLayers, { body: { order: ['team', 'base'] } });
  expect(await readPages(server, { layer: 'team' })).toEqual([[]]);
});

test('a filter by a hidden layer returns the same response as for a missing layer', async () => {
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'] },
  });
  const root = server.as(asCaller({ subject: 'root' }));
  await root.ingest(TREE, { id: 'vault', users: ['ann'] });
  const zoe = server.as(asCaller({ subject: 'zoe' }));
  const answers = await Promise.all(
    ['vault', 'nobody'].map(async (layer) => {
      const { status, raw } = await zoe.request(catalog, { query: { layer } });
      return [status, raw.toString()];
    }),
  );
  expect(answers[0]).toEqual([200, '{"ids":[],"artifacts":[]}']);
  expect(answers[1]).toEqual(answers[0]);
});

test.each([{ limit: 0 }, { limit: 201 }, { limit: 'x' }, { updated_since: 'yesterday' }])(
  'the arguments %j are rejected',
  async (query) => {
    const server = await startRegistry();
    const { status, body } = await server.request(catalog, { query });
    expect([status, body]).toMatchObject([400, { code: 'registry.invalid_argument' }]);
  },
);
