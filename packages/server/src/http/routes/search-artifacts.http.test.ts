import { searchArtifacts, searchDomains } from '@catalog/contract/endpoints/discovery';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { reembed } from '@catalog/contract/endpoints/search-index';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import { FIRST_CLASS_TYPES } from '@catalog/core/artifact/types';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { Settings } from '@catalog/server/config/settings';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

type Query = Readonly<Record<string, string | number>>;

async function search(server: RegistryServer, query: Query = {}): Promise<SearchResponse> {
  return server.call(searchArtifacts, { query });
}

async function find(server: RegistryServer, query: Query = {}): Promise<string[]> {
  return (await search(server, query)).results.map(({ id }) => id);
}

function rule(description: string, ...lines: string[]): string {
  const keys = ['type: rule', 'version: 1.0.0', 'rule_mode: always', `description: ${description}`];
  return `---\n${[...keys, ...lines].join('\n')}\n---\nThe text.\n`;
}

const OFFICE: FileTree = {
  'finance/invoices/ARTIFACT.md': rule(
    'Send an invoice to every customer.',
    'name: invoices',
    'tags: [money, monthly]',
    'sensitivity: medium',
  ),
  'finance/invoices/reminders/ARTIFACT.md': rule(
    'Remind a customer of what is due.',
    'name: reminders',
    'tags: [money]',
  ),
  'finance/invoices-old/ARTIFACT.md': rule(
    'How it was done before.',
    'name: invoices-old',
    'when_to_use: [Looking for a lost receipt]',
  ),
  'ops/deploy/SKILL.md':
    '---\nname: deploy\ndescription: Bring a release to production.\nmetadata:\n  version: 2.1.0\n---\nDo it.\n',
};

async function serveOffice(settings: Partial<Settings> = {}): Promise<RegistryServer> {
  return startRegistry({ layers: { base: OFFICE }, settings });
}

const WORDS_ALONE = { no_embeddings: true };

verifies(
  ['SEARCH-01', 'SEARCH-02', 'SEARCH-13'],
  'a result contains the artifact, its score and its unchanged frontmatter',
  async () => {
    const block =
      '---\n# as people write\ntype:   rule\nversion: "1.0.0"\nrule_mode: always\nname: odd\n' +
      "description: 'A zebra crossing'\ntags: [ animals ,  streets ]\nsensitivity: high\n---\n";
    const server = await startRegistry({
      layers: { base: { 'x/odd/ARTIFACT.md': `${block}The text.\n` } },
    });
    const answer = await search(server, { query: 'zebras' });
    expect(answer).toEqual({
      query: 'zebras',
      total_matched: 1,
      results: [
        {
          id: 'x/odd',
          type: 'rule',
          version: '1.0.0',
          score: expect.any(Number),
          frontmatter: block,
          description: 'A zebra crossing',
          tags: ['animals', 'streets'],
          sensitivity: 'high',
        },
      ],
    });
    const [result] = answer.results;
    expect(result?.score).toBeGreaterThan(0);
    expect(result?.score).toBeLessThanOrEqual(1.75);
  },
);

verifies(
  ['SEARCH-04', 'SEARCH-05', 'SEARCH-06', 'FM-02'],
  'type, all tags and scope filter results with and without a query',
  async () => {
    const server = await serveOffice();
    expect(await find(server, { type: 'skill' })).toEqual(['ops/deploy']);
    expect(await find(server, { query: 'customer', type: 'skill' })).toEqual([]);
    const paid = ['finance/invoices', 'finance/invoices/reminders'];
    expect(await find(server, { tags: 'money' })).toEqual(paid);
    expect(await find(server, { tags: 'monthly,money' })).toEqual(['finance/invoices']);
    expect(await find(server, { tags: ' money , monthly ,' })).toEqual(['finance/invoices']);
    expect(await find(server, { tags: 'mon' })).toEqual([]);
    expect(await find(server, { query: 'customer', tags: 'monthly' })).toEqual([
      'finance/invoices',
    ]);
    expect(await find(server, { scope: 'finance/invoices' })).toEqual(paid);
    expect(await find(server, { scope: '/finance/invoices/' })).toEqual(paid);
    expect(await find(server, { scope: 'finance', type: 'rule' })).toHaveLength(3);
    expect(await find(server, { query: 'release', scope: 'finance' })).toEqual([]);
    expect(await find(server, { query: 'release', scope: 'ops' })).toEqual(['ops/deploy']);
    const { total_matched } = await search(server, { tags: 'money', top_k: 1 });
    expect(total_matched).toBe(2);
  },
);

verifies(
  ['SEARCH-07', 'LIMIT-03'],
  'top_k defaults to 10 with a maximum of 50, and the count covers all matches',
  async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `many/r${index}/ARTIFACT.md`,
        rule(`Number ${index} of the zebras.`, `name: r${index}`),
      ]),
    );
    const server = await startRegistry({ layers: { base: many } });
    for (const query of [{}, { query: 'zebra' }]) {
      const sizes = await Promise.all([
        search(server, query),
        search(server, { ...query, top_k: 1 }),
        search(server, { ...query, top_k: 50 }),
      ]);
      expect(sizes.map(({ results }) => results.length)).toEqual([10, 1, 50]);
      expect(sizes.map(({ total_matched }) => total_matched)).toEqual([60, 60, 60]);
    }
    for (const row of [searchArtifacts, searchDomains]) {
      for (const top_k of [51, 0, -1, 1.5, 'ten']) {
        const { status, body } = await server.request(row, { query: { top_k } });
        expect({ status, body }).toMatchObject({
          status: 400,
          body: { code: 'registry.invalid_argument', details: { argument: 'top_k' } },
        });
      }
      expect((await server.request(row, { query: { top_k: 50 } })).status).toBe(200);
    }
  },
);

verifies(
  ['SEARCH-08', 'SEARCH-09', 'SEARCH-10'],
  'every argument is optional, and an empty query lists all artifacts by id',
  async () => {
    const server = await serveOffice();
    const browsed = await search(server);
    expect(browsed).toMatchObject({ query: '', total_matched: 4 });
    const ids = browsed.results.map(({ id }) => id);
    expect(ids).toEqual([
      'finance/invoices',
      'finance/invoices-old',
      'finance/invoices/reminders',
      'ops/deploy',
    ]);
    expect(browsed.results.every(({ score }) => score === 0)).toBe(true);
    expect(await search(server)).toEqual(browsed);
    expect(await find(server, { query: '   ' })).toEqual(ids);
    const session_id = '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d';
    expect(await search(server, { session_id })).toEqual(browsed);
    expect(await find(server, { session_id, query: 'release' })).toEqual(['ops/deploy']);
  },
);

const PACKAGES: Readonly<Record<(typeof FIRST_CLASS_TYPES)[number], FileTree>> = {
  skill: {
    'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
    'SKILL.md': '---\nname: skill\ndescription: A zebra of type skill.\n---\nDo it.\n',
  },
  agent: manifestOf('agent'),
  context: manifestOf('context'),
  command: manifestOf('command'),
  rule: manifestOf('rule', 'rule_mode: always'),
  hook: manifestOf('hook', 'hook_event: stop', 'hook_action: "true"'),
  'mcp-server': manifestOf('mcp-server', 'server_identifier: npx:zebra'),
};

function manifestOf(type: string, ...lines: string[]): FileTree {
  const keys = [`type: ${type}`, 'version: 1.0.0', `name: ${type}`];
  const text = `---\n${[...keys, ...lines].join('\n')}\ndescription: A zebra of type ${type}.\n---\nIt.\n`;
  return { 'ARTIFACT.md': text };
}

verifies(
  'MODE-06',
  'artifacts of all seven types are ingested, found by type and loaded',
  async () => {
    const files = Object.entries(PACKAGES).flatMap(([type, tree]) =>
      Object.entries(tree).map(([path, content]) => [`zoo/${type}/${path}`, content] as const),
    );
    const server = await startRegistry();
    const report = await server.ingest(Object.fromEntries(files));
    expect(report).toMatchObject({ accepted: 7, rejected: [], lint_failures: [] });
    for (const type of FIRST_CLASS_TYPES) {
      const id = `zoo/${type}`;
      expect(await find(server, { type }), type).toEqual([id]);
      expect(await find(server, { query: 'zebra', type })).toEqual([id]);
      expect(await server.call(loadArtifact, { query: { id } })).toMatchObject({ id, type });
    }
  },
);

test('search matches inflected words in when_to_use, tags and the id', async () => {
  const server = await serveOffice(WORDS_ALONE);
  expect((await find(server, { query: 'invoicing' })).at(0)).toBe('finance/invoices');
  expect(await find(server, { query: 'RECEIPTS' })).toEqual(['finance/invoices-old']);
  expect(await find(server, { query: 'monthly' })).toEqual(['finance/invoices']);
  expect(await find(server, { query: 'how do I deploy this?' })).toEqual(['ops/deploy']);
  expect(await find(server, { query: 'zebra' })).toEqual([]);
});

test('a registry without embeddings reports words_only and is not degraded', async () => {
  const settings = { no_embeddings: true };
  const server = await startRegistry({ layers: { base: OFFICE }, settings });
  for (const row of [searchArtifacts, searchDomains]) {
    const found = await server.call(row, { query: { query: 'invoices' } });
    expect(found.words_only).toBe(true);
    expect(found.degraded).toBeUndefined();
    const listed = await server.call(row, { query: {} });
    expect(listed.words_only ?? listed.degraded).toBeUndefined();
  }
});

verifies('SEARCH-03', 'words and vectors of the frontmatter rank together', async () => {
  const server = await startRegistry({
    layers: {
      base: {
        ...OFFICE,
        'ops/rollback/ARTIFACT.md': rule('Bring the previous version of a service back.'),
        'ops/menu/ARTIFACT.md': rule('What the canteen serves.').replace(
          'The text.',
          'How to bring the previous version of a service back.',
        ),
      },
    },
  });
  await server.call(reembed, { query: { only_missing: 'true' } });
  const parameters = { query: 'undo a bad deploy', explain: 'true' };
  const { results, degraded } = await search(server, parameters);
  expect(degraded).toBeUndefined();
  const why = new Map(results.map(({ id, score, explanation }) => [id, { score, explanation }]));
  expect(why.get('ops/rollback')?.explanation).toMatchObject({ terms: [], lexical: 0 });
  expect(why.get('ops/deploy')?.explanation?.terms).toEqual(['deploy']);
  expect(
    results
      .slice(0, 2)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['ops/deploy', 'ops/rollback']);
  for (const { score, explanation } of why.values()) {
    const { lexical = 0, similarity = 0, layer } = explanation ?? {};
    expect(score).toBeCloseTo((similarity ?? 0) + 0.75 * lexical, 5);
    expect(layer).toBe('base');
  }
});

test('results are ordered by score, and the score reflects how much of the query matched', async () => {
  const server = await serveOffice();
  await server.call(reembed, { query: { only_missing: 'true' } });
  const { results } = await search(server, { query: 'invoice customer' });
  const scores = results.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(results.at(0)?.id).toBe('finance/invoices');
  const less = await search(server, { query: 'invoice customer unheard-of' });
  expect(less.results.at(0)?.score).toBeLessThan(scores.at(0) ?? 0);
});

test('deprecated and direct-only artifacts can be loaded but are not found', async () => {
  const server = await startRegistry();
  await server.ingest({
    'a/live/ARTIFACT.md': rule('A zebra.', 'name: live'),
    'a/gone/ARTIFACT.md': rule('A zebra.', 'name: gone', 'deprecated: true'),
    'a/quiet/ARTIFACT.md': rule('A zebra.', 'name: quiet', 'search_visibility: direct-only'),
  });
  for (const query of [{ query: 'zebra' }, {}, { scope: 'a' }, { type: 'rule' }]) {
    expect(await search(server, query)).toMatchObject({
      total_matched: 1,
      results: [{ id: 'a/live' }],
    });
  }
  for (const id of ['a/gone', 'a/quiet']) {
    expect((await server.call(loadArtifact, { query: { id } })).id).toBe(id);
  }
});

test('an artifact hidden from search also hides its versions in lower layers', async () => {
  const server = await startRegistry({
    layers: {
      base: { 'a/one/ARTIFACT.md': rule('A zebra.', 'name: one'), ...OFFICE },
      team: {
        'a/one/ARTIFACT.md': rule(
          'A zebra.',
          'name: one',
          'extends: a/one@1.0.0',
          'search_visibility: direct-only',
        ),
      },
    },
  });
  expect(await search(server, { query: 'zebra' })).toMatchObject({ total_matched: 0, results: [] });
  expect(await search(server)).toMatchObject({ total_matched: 4 });
});

test('a change or removal of an artifact is searchable at once', async () => {
  const server = await startRegistry({ settings: WORDS_ALONE });
  await server.ingest({ 'a/x/ARTIFACT.md': rule('A zebra.', 'name: x') });
  expect(await find(server, { query: 'zebra' })).toEqual(['a/x']);
  await server.ingest({
    'a/x/ARTIFACT.md': rule('A lion.', 'name: x').replace('1.0.0', '1.1.0'),
  });
  expect(await find(server, { query: 'zebra' })).toEqual([]);
  expect(await search(server, { query: 'lions' })).toMatchObject({
    results: [{ version: '1.1.0' }],
  });
  await server.ingest({ 'a/y/ARTIFACT.md': rule('A lion.', 'name: y') });
  expect(await search(server, { query: 'lion' })).toMatchObject({
    total_matched: 1,
    results: [{ id: 'a/y' }],
  });
});

test('as_admin works for the operator of an open registry and returns 403 in public mode', async () => {
  const open = await serveOffice();
  expect(await find(open, { as_admin: 'true', query: 'release' })).toEqual(['ops/deploy']);
  const anonymous = await startRegistry({ settings: { public_mode: true } });
  const { status, body } = await anonymous.request(searchArtifacts, { query: { as_admin: '1' } });
  expect({ status, body }).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
});
