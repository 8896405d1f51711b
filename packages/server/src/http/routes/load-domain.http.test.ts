import { loadDomain } from '@catalog/contract/endpoints/discovery';
import { startRegistry } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function rule(name: string, more = ''): string {
  return `---\ntype: rule\nname: ${name}\nversion: 1.0.0\ndescription: About ${name}.\n${more}---\nDo it.\n`;
}

const TREE = {
  'ops/DOMAIN.md':
    '---\ndescription: Operations.\ndiscovery: {keywords: [release], featured: [ops/tidy]}\n---\nHow we run things.\n',
  'ops/check/ARTIFACT.md': rule('check', 'tags: [night]\n'),
  'ops/tidy/ARTIFACT.md': rule('tidy'),
  'ops/deploy/ship/ARTIFACT.md': rule('ship'),
  'ops/deploy/stage/canary/ARTIFACT.md': rule('canary'),
  'ops/deploy/stage/slow/ring/ARTIFACT.md': rule('ring'),
  'top/ARTIFACT.md': rule('top'),
};

verifies(
  ['VIEW-01', 'DISC-03', 'DISC-04', 'DISC-05', 'DISC-07'],
  'a domain map lists the content of a domain and its descendants, with the root as the empty path',
  async () => {
    const server = await startRegistry({ layers: { base: TREE } });
    const root = await server.call(loadDomain);
    expect(root).toEqual({
      path: '',
      description: '',
      keywords: [],
      subdomains: [
        {
          path: 'ops',
          name: 'ops',
          description: 'Operations.',
          subdomains: [
            {
              path: 'ops/deploy',
              name: 'deploy',
              description: 'Deploy',
              subdomains: [{ path: 'ops/deploy/stage', name: 'stage', description: 'Stage' }],
            },
          ],
        },
      ],
      notable: [
        {
          id: 'top',
          type: 'rule',
          version: '1.0.0',
          summary: 'About top.',
          tags: [],
          source: 'signal',
        },
      ],
    });
    expect(await server.call(loadDomain, { query: { path: '' } })).toEqual(root);
    expect(await server.call(loadDomain, { query: { path: '/ops/' } })).toEqual({
      path: 'ops',
      description: 'How we run things.',
      keywords: ['release'],
      subdomains: root.subdomains[0]?.subdomains?.map((below) => ({
        ...below,
        subdomains: [
          {
            path: 'ops/deploy/stage',
            name: 'stage',
            description: 'Stage',
            subdomains: [{ path: 'ops/deploy/stage/slow', name: 'slow', description: 'Slow' }],
          },
        ],
      })),
      notable: [
        expect.objectContaining({ id: 'ops/tidy', source: 'featured' }),
        expect.objectContaining({ id: 'ops/check', source: 'signal', tags: ['night'] }),
      ],
    });
  },
);

verifies(
  ['DISC-04', 'DISC-08'],
  'depth is limited by the domain, and the response reports a higher request',
  async () => {
    const server = await startRegistry({
      layers: { base: TREE },
      settings: { 'discovery.max_depth': 2 },
    });
    const map = (depth: number | undefined) => server.call(loadDomain, { query: { depth } });
    const [defaultMap, one, two] = [await map(undefined), await map(1), await map(2)];
    expect(two).toEqual(defaultMap);
    expect(Object.hasOwn(defaultMap, 'note')).toBe(false);
    expect(one.subdomains).toEqual([{ path: 'ops', name: 'ops', description: 'Operations.' }]);
    for (const more of [9, 1001, 1_000_000_000]) {
      expect(await map(more)).toEqual({
        ...defaultMap,
        note: 'This domain is limited to a depth of 2.',
      });
    }
  },
);

verifies('DISC-06', 'a folded artifact names its original domain', async () => {
  const server = await startRegistry({
    layers: { base: TREE },
    settings: { 'discovery.fold_below_artifacts': 3 },
  });
  const { notable, subdomains } = await server.call(loadDomain, { query: { path: 'ops/deploy' } });
  expect(subdomains).toEqual([]);
  expect(notable.map(({ id, folded_from }) => [id, folded_from])).toEqual([
    ['ops/deploy/ship', undefined],
    ['ops/deploy/stage/canary', 'stage'],
    ['ops/deploy/stage/slow/ring', 'stage/slow'],
  ]);
  expect(notable.map((entry) => Object.hasOwn(entry, 'folded_from'))).toEqual([false, true, true]);
});

verifies('DISC-09', 'load_domain accepts a session id', async () => {
  const server = await startRegistry({ layers: { base: TREE } });
  const session_id = '3f0d9a5e-6d0c-4b1e-9c77-0a6c5c1d2e3f';
  expect(await server.call(loadDomain, { query: { session_id } })).toEqual(
    await server.call(loadDomain),
  );
});

verifies(
  ['DISC-10', 'ERR-38'],
  'unlisted domains, their descendants and missing domains return the same error',
  async () => {
    const server = await startRegistry({
      layers: {
        base: { ...TREE, 'vault/deep/key/ARTIFACT.md': rule('key') },
        team: { 'vault/DOMAIN.md': '---\nunlisted: true\n---\n' },
      },
    });
    const refusals = await Promise.all(
      ['vault', 'vault/deep', 'voids', 'voids/deep'].map(async (path) => {
        const { status, body } = await server.request(loadDomain, { query: { path } });
        return { status, text: JSON.stringify(body).replaceAll(path, '<path>') };
      }),
    );
    expect(new Set(refusals.map(({ text }) => text)).size).toBe(1);
    expect(refusals[0]).toMatchObject({
      status: 404,
      text: expect.stringContaining('"code":"domain.not_found"'),
    });
    expect((await server.call(loadDomain)).subdomains.map(({ path }) => path)).toEqual(['ops']);
  },
);

describe('load_domain', () => {
  test('applies the display settings of a domain unless the registry overrides them', async () => {
    const files = {
      ...TREE,
      'ops/DOMAIN.md': '---\ndiscovery: {max_depth: 1, notable_count: 1}\n---\n',
    };
    const query = { path: 'ops' };
    const free = await startRegistry({ layers: { base: files } });
    const { subdomains, notable } = await free.call(loadDomain, { query });
    expect(subdomains.map((below) => below.subdomains)).toEqual([undefined]);
    expect(notable).toHaveLength(1);
    const strict = await startRegistry({
      layers: { base: files },
      settings: { 'discovery.allow_per_domain_overrides': false },
    });
    expect((await strict.call(loadDomain, { query })).notable).toHaveLength(2);
  });

  test('shortens a map that is too long and reports the omissions', async () => {
    const server = await startRegistry({
      layers: { base: TREE },
      settings: { 'discovery.target_response_tokens': 20 },
    });
    const { note } = await server.call(loadDomain);
    expect(note).toBe(
      'Shortened to fit the response: the notable list from 1 to 0 entries and the depth from 3 to 1.',
    );
  });

  test('shows imported artifacts as soon as they are ingested', async () => {
    const server = await startRegistry({
      layers: { base: { ...TREE, 'kit/DOMAIN.md': '---\ninclude: ["shared/**"]\n---\n' } },
    });
    const ids = async () =>
      (await server.call(loadDomain, { query: { path: 'kit' } })).notable.map(({ id }) => id);
    expect(await ids()).toEqual([]);
    await server.ingest({ 'shared/a/ARTIFACT.md': rule('a') }, { id: 'team' });
    expect(await ids()).toEqual(['shared/a']);
    await server.ingest({ 'other/a/ARTIFACT.md': rule('a') }, { id: 'team' });
    expect(await ids()).toEqual([]);
  });

  test('pages through the children: subdomains by path, then artifacts by id', async () => {
    const server = await startRegistry({
      layers: {
        base: {
          ...TREE,
          'ops/deploy-tools/a/ARTIFACT.md': rule('a'),
          'ops/old/ARTIFACT.md': rule('old', 'deprecated: true\n'),
        },
      },
    });
    const page = (query: { limit?: number; cursor?: string }) =>
      server.call(loadDomain, { query: { path: 'ops', depth: 1, counts: 'true', ...query } });
    const first = await page({ limit: 1 });
    expect(first).toMatchObject({
      description: 'How we run things.',
      artifact_count: 2,
      subdomains: [{ path: 'ops/deploy', recursive_count: 3 }],
      notable: [{ id: 'ops/tidy' }, { id: 'ops/check' }],
      artifacts: [],
    });
    const second = await page({ limit: 2, cursor: first.next_cursor ?? '' });
    expect(second).toMatchObject({
      subdomains: [{ path: 'ops/deploy-tools', recursive_count: 1 }],
      notable: [],
      artifacts: [{ id: 'ops/check', version: '1.0.0', layer: 'base' }],
    });
    const last = await page({ cursor: second.next_cursor ?? '' });
    expect(last).toMatchObject({ subdomains: [], artifacts: [{ id: 'ops/tidy' }] });
    expect(last.next_cursor).toBeUndefined();
  });

  test.each([
    { depth: '-1' },
    { depth: 'two' },
    { depth: '1.5' },
    { nope: '1' },
    { limit: '0' },
    { cursor: 'ops' },
  ])('rejects %j', async (query) => {
    const server = await startRegistry();
    const { status, body } = await server.request(loadDomain, { query });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'registry.invalid_argument' });
  });
});
