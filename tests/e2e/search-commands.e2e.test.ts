import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reembed } from '@catalog/contract/endpoints/search-index';
import { startEmbeddingServer } from '@catalog/testkit/embedding-servers/embedding-server';
import { ollamaApi } from '@catalog/testkit/embedding-servers/ollama-api';
import { startRegistry } from '@catalog/testkit/registry-server';
import { writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, OPS, skill, type Workspace } from './workspace.ts';

const DESK: FileTree = {
  ...skill('ops/rollback', 'Undo a deployment that went wrong.'),
  ...skill('ops/release', 'Verify a release before it ships to production.'),
  ...skill('food/soup', 'Cook a tomato soup for eight guests.'),
  ...skill('ops/old', 'Undo a deployment the old way.'),
  'ops/old/ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\ndeprecated: true\n---\n',
  ...skill('ops/quiet', 'Undo a deployment quietly.'),
  'ops/quiet/ARTIFACT.md':
    '---\ntype: skill\nversion: 1.0.0\nsearch_visibility: direct-only\n---\n',
};

describe.each(['server', 'folder'])('search commands with a %s registry', (kind) => {
  async function open(files: FileTree = DESK): Promise<Workspace & { at: string }> {
    if (kind === 'folder') {
      const workspace = openWorkspace(files);
      return { ...workspace, at: `--registry ${workspace.registry}` };
    }
    const server = await startRegistry({ layers: { base: files } });
    await server.call(reembed, { query: { only_missing: 'true' } });
    return { ...openWorkspace(), at: `--registry ${server.url}` };
  }

  test('search --explain prints the reason for each result', async () => {
    const { ok, json, at } = await open();
    const { stdout } = await ok(`search undo a deployment --explain ${at}`);
    expect(stdout).toMatch(
      /\nops\/rollback .*\n {2}words undo, deploy; similarity 0\.\d\d; layer \S+; score 1\.\d\d\n/,
    );
    const { document } = await json(`search bring the old version back --explain ${at}`);
    expect(document).toMatchObject({
      results: [
        { id: 'ops/rollback', explanation: { terms: [], similarity: expect.any(Number) } },
        {},
      ],
    });
    const plain = await json(`search undo ${at}`);
    expect(JSON.stringify(plain.document)).not.toContain('explanation');
  });

  test('why search prints the rank of an artifact and the results above it', async () => {
    const { ok, json, at } = await open();
    const first = await ok(`why search ops/rollback undo a deployment ${at}`);
    expect(first.stdout).toMatch(
      /^ops\/rollback: result 1 of \d+ for "undo a deployment"\n {2}words undo, deploy; similarity/,
    );
    const second = await ok(`why search ops/release undo a deployment ${at}`);
    expect(second.stdout).toMatch(
      /^ops\/release: result 2 of[^]*\n\nResults above\n {2}ops\/rollback {2}words undo/,
    );
    const { document } = await json(`why search ops/release undo a deployment ${at}`);
    expect(document).toMatchObject({
      verdict: 'found',
      rank: 2,
      result: { id: 'ops/release' },
      above: [{ id: 'ops/rollback' }],
      degraded: false,
    });
  });

  test.each([
    ['food/soup', 'unrelated', /no words match, and the meaning differs/],
    ['ops/old', 'deprecated', /deprecated/],
    ['ops/quiet', 'direct-only', /`search_visibility` is direct-only/],
    ['ops/gone', 'absent', /no such artifact, or you cannot read it/],
  ])('why search explains why %s is not found: %s', async (id, verdict, words) => {
    const { run, json, at } = await open();
    const { code, stdout } = await run(`why search ${id} quarterly undo deployment ${at}`);
    expect(code).toBe(1);
    expect(stdout).toMatch(words);
    expect(stdout).toMatch(/\nNext: /);
    const { document } = await json(`why search ${id} quarterly undo deployment ${at}`);
    expect(document).toMatchObject({ id, verdict, rank: null, result: null });
  });

  test('similar lists artifacts that resemble an unpublished artifact', async () => {
    const { ok, json, error, root, registry, at } = await open();
    writeTree(root, {
      ...skill('drafts/rollback', 'Undo a deployment that has gone wrong.'),
      ...skill('drafts/soup', 'Cook a tomato soup for eight guests.'),
      ...skill('drafts/tax', 'Zzyzx qwrk.'),
      'notes.txt': 'nothing',
    });
    const { stdout } = await ok(`similar drafts/rollback ${at}`);
    expect(stdout).toMatch(/^0\.\d\d +ops\/rollback +skill +near duplicate {2}Undo a deployment/);
    expect(stdout).toContain('Next: use ops/rollback, extend it, or state the difference');
    const { document } = await json(`similar drafts/rollback/SKILL.md --top-k 1 ${at}`);
    expect(document).toMatchObject({
      id: 'rollback',
      similar: [{ id: 'ops/rollback', near_duplicate: true }],
      degraded: false,
    });
    // An artifact that is already published under the same path is not similar to itself.
    const itself = await json(`similar drafts/soup ${at}`);
    expect(JSON.stringify(itself.document)).not.toContain('food/soup');
    if (kind === 'folder') {
      const placed = await json(`similar ${registry}/ops/rollback ${at}`);
      const own = expect.objectContaining({ id: 'ops/rollback' });
      expect(placed.document).toMatchObject({
        id: 'ops/rollback',
        similar: expect.not.arrayContaining([own]),
      });
    }
    expect((await error(`similar drafts/gone ${at}`)).error.code).toBe('config.usage');
    expect((await error(`similar notes.txt ${at}`)).error).toMatchObject({
      code: 'config.usage',
      message: expect.stringContaining('contains no ARTIFACT.md or SKILL.md'),
    });
  });

  test('search eval measures the queries of a file', async () => {
    const { run, ok, json, root, at } = await open();
    writeFileSync(
      join(root, 'questions.yaml'),
      `- query: undo a deployment
  relevant: [ops/rollback]
  kind: words
- {query: dinner for my family, relevant: [food/soup], kind: meaning}
- {query: undo a deployment, relevant: [ops/release], kind: wrong}
- {query: undo a deployment, relevant: [ops/gone], kind: wrong}
`,
    );
    const { stdout } = await ok(`search eval questions.yaml ${at}`);
    expect(stdout).toMatch(
      /^ +queries {2}nDCG@10 {2}MRR@10 {2}recall@10\nmeaning +1 +1\.000 +1\.000 +1\.000\nwords +1 +1\.000 /,
    );
    expect(stdout).toContain('"undo a deployment": expected ops/gone (not in the first 10)');
    expect(stdout).toContain(
      '"undo a deployment": expected ops/release (result 2)\n    instead: ops/rollback',
    );
    const low = await run(`search eval questions.yaml --min-ndcg 0.9 ${at}`);
    expect(low.code).toBe(1);
    expect(low.stdout).toContain('nDCG@10 is 0.658, below 0.9.');
    const { code, document } = await json(`search eval questions.yaml --min-ndcg .5 ${at}`);
    expect(code).toBe(0);
    expect(document).toMatchObject({
      queries: 4,
      passed: true,
      all: { mrr: 0.625, recall: 0.75 },
      kinds: [{ kind: 'meaning' }, { kind: 'words' }, { kind: 'wrong', queries: 2, mrr: 0.25 }],
    });
  });
});

describe('catalog why search', () => {
  test('reports that an artifact ranks below the maximum number of results', async () => {
    const many = Object.assign(
      {},
      ...Array.from({ length: 55 }, (_, at) => skill(`ops/r${at}`, 'Release the release now.')),
    );
    const { json, run, registry } = openWorkspace({
      ...many,
      ...skill('ops/last', 'Among many other things that it does it can speak of a release.'),
    });
    const line = `why search ops/last release --registry ${registry}`;
    const { document } = await json(line);
    expect(document).toMatchObject({
      verdict: 'outranked',
      rank: null,
      result: { id: 'ops/last' },
    });
    const { code, stdout } = await run(line);
    expect(code).toBe(1);
    expect(stdout).toContain('more than 50 of 56 results rank higher');
    expect(stdout).toContain('and 45 more');
  });

  test('reports which layer is searched if several contain the artifact', async () => {
    const { ok, json, registry } = openWorkspace({
      '.registry-config': 'multi_layer: true\nlayer_order: [base, team]\n',
      ...prefixed('base', skill('ops/ship', 'Undo a deployment.')),
      ...prefixed('team', skill('ops/ship', 'Bring a release to production.')),
      'team/ops/ship/ARTIFACT.md': '---\ntype: skill\nversion: 1.1.0\nextends: ops/ship@1.x\n---\n',
    });
    const line = `why search ops/ship release --registry ${registry}`;
    expect((await json(line)).document).toMatchObject({ layers: ['team', 'base'] });
    expect((await ok(line)).stdout).toContain('search uses layer team, which overrides base');
  });

  test('does not affect `catalog why` for a file with the name search', async () => {
    const { run } = openWorkspace({}, { search: 'mine' });
    const { code, stdout } = await run(['why', '--', 'search']);
    expect(code).toBe(1);
    expect(stdout).toBe('search: not managed by catalog\n');
  });
});

describe('catalog search eval', () => {
  test.each([
    [
      '- {query: a, relevant: [ops/x]}\n- {query: b, relevnt: [ops/x]}\n',
      'config.invalid',
      /^questions\.yaml:2:\d+: /,
    ],
    ['query: a\n', 'config.invalid', /:1:1: The YAML is not a list/],
    ['[]\n', 'config.usage', /contains no queries/],
    ['- {query: a, relevant: []}\n', 'config.usage', /Query 1 /],
  ])('rejects %j with its position', async (text, code, message) => {
    const { error, registry } = openWorkspace(OPS, { 'questions.yaml': text });
    const refused = await error(`search eval questions.yaml --registry ${registry}`);
    expect(refused.error.code).toBe(code);
    expect(refused.error.message).toMatch(message);
  });

  test('rejects a missing file and an invalid share', async () => {
    const { error, registry } = openWorkspace(OPS, { 'q.yaml': '- {query: a, relevant: [b]}\n' });
    expect((await error(`search eval gone.yaml --registry ${registry}`)).error.code).toBe(
      'config.usage',
    );
    const share = await error(`search eval q.yaml --min-ndcg 80 --registry ${registry}`);
    expect(share.error.message).toContain('from 0 to 1');
  });
});

describe('catalog admin reembed', () => {
  test('embeds all artifacts, one artifact, or missing ones', async () => {
    const server = await startRegistry({ layers: { base: OPS } });
    const { ok, json, error } = openWorkspace();
    const at = `--registry ${server.url}`;
    expect((await ok(`admin reembed ${at}`)).stdout).toBe('Embedded 7 of 7 artifacts\n');
    expect((await json(`admin reembed ops/deploy/check ${at}`)).document).toMatchObject({
      state: 'done',
      total: 1,
      succeeded: 1,
    });
    expect((await ok(`admin reembed --only-missing ${at}`)).stdout).toContain('Nothing to embed');
    expect((await ok(`admin reembed --since 2199-01-01 ${at}`)).stdout).toContain(
      'Nothing to embed',
    );
    const prefix = await json(`admin reembed --no-wait ${at}`);
    expect(prefix.document).toMatchObject({ job: expect.any(String), total: 7 });
    expect((await error(`admin reembed ops/gone ${at}`)).error.code).toBe('registry.not_found');
    expect((await error(`admin reembed ops/deploy/check@9.9.9 ${at}`)).error.code).toBe(
      'registry.not_found',
    );
    expect((await error(`admin reembed --since yesterday ${at}`)).error.code).toBe('config.usage');
  });

  test('lists artifacts that could not be embedded, and requires a server', async () => {
    const provider = await startEmbeddingServer(ollamaApi);
    const server = await startRegistry({
      layers: { base: skill('ops/check', 'Verify a release.') },
      settings: {
        'embedding_provider.type': 'ollama',
        'embedding_provider.base_url': provider.url,
        'embedding_provider.model': 'test-model',
        'embedding_provider.dimensions': provider.dimensions,
        'egress.allowed_hosts': [new URL(provider.url).host],
      },
    });
    await server.call(reembed, { query: { only_missing: 'true' } });
    provider.fault = { kind: 'status', status: 400 };
    const { run, error, registry } = openWorkspace(OPS);
    const { code, stdout } = await run(`admin reembed --registry ${server.url}`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Embedded 0 of 1 artifact; 1 failed\n\nops\/check +1\.0\.0 +\S/);
    expect(stdout).toContain('catalog admin reembed --only-missing');
    const folder = await error(`admin reembed --registry ${registry}`);
    expect(folder.error).toMatchObject({ code: 'config.usage' });
  });
});

function prefixed(folder: string, files: FileTree): FileTree {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => [`${folder}/${path}`, file]),
  );
}
