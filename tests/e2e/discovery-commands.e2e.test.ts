import { describe, expect, test } from 'vitest';
import { startRegistry } from '@catalog/testkit/registry-server';
import { sendJson, startFakeServer } from '@catalog/testkit/fake-server';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace, OPS, type Workspace } from './workspace.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to build the program.\n---\n';

async function openPlace(): Promise<Workspace & { at: string }> {
  const server = await startRegistry({ layers: { base: OPS } });
  return { ...openWorkspace(), at: `--registry ${server.url}` };
}

describe.each(['server', 'folder'])('discovery commands with a %s registry', (kind) => {
  async function open(): Promise<Workspace & { at: string }> {
    if (kind === 'server') return openPlace();
    const workspace = openWorkspace(OPS);
    return { ...workspace, at: `--registry ${workspace.registry}` };
  }

  test('search finds words and applies the filters', async () => {
    const { ok, json, at } = await open();
    const { stdout } = await ok(`search release ${at}`);
    const [head, , first] = stdout.split('\n');
    expect(head).toMatch(/^(\d) of \1 artifacts for "release"$/);
    expect(first).toMatch(/^ops\/\S+ +\w+ +1\.0\.0 {2}/);
    const { document } = await json(`search release --type skill --tag deploy --scope ops ${at}`);
    expect(document).toMatchObject({
      query: 'release',
      total_matched: 1,
      results: [{ id: 'ops/deploy/check', type: 'skill', tags: ['deploy'] }],
    });
    const all = await json(`search --top-k 2 ${at}`);
    expect(all.document).toMatchObject({ total_matched: 7, results: [{}, {}] });
    expect((await ok(`search ᚠᚢᚦ ${at}`)).stdout).toContain('No artifacts found for "ᚠᚢᚦ"');
  });

  test('search rejects invalid flags', async () => {
    const { error, at } = await open();
    expect((await error(`search x --top-k many ${at}`)).error.code).toBe('config.usage');
    expect((await error(`search x --type a --type b ${at}`)).error.code).toBe('config.usage');
    expect(await error(`search x --top-k 51 ${at}`)).toMatchObject({
      error: { code: 'registry.invalid_argument' },
    });
  });

  test('show prints an artifact and its versions, and suggests an id for a typo', async () => {
    const { ok, json, error, at } = await open();
    const { stdout } = await ok(`show ops/deploy/check ${at}`);
    expect(stdout).toMatch(/^ops\/deploy\/check\n {2}type +skill\n {2}version +1\.0\.0\n/);
    expect(stdout).toContain('Run scripts/check.sh.');
    expect(stdout).toContain('3 bundled files');
    expect(stdout).toContain('scripts/check.sh  (executable)');
    for (const pin of ['1.x', 'latest']) {
      const { document } = await json(`show ops/deploy/check@${pin} ${at}`);
      expect(document).toMatchObject({ id: 'ops/deploy/check', version: '1.0.0' });
    }
    const versions = await ok(`show ops/deploy/check --versions ${at}`);
    expect(versions.stdout).toMatch(/\n1\.0\.0 .* current\n$/);
    for (const wrong of ['ops/deploy/chekc', 'ops/deploy/check@2.0.0']) {
      expect(await error(`show ${wrong} ${at}`)).toMatchObject({
        code: 1,
        error: { code: 'registry.not_found' },
      });
    }
  });

  test('show keeps the layout of the body', async () => {
    const files = { 'ops/make/ARTIFACT.md': `${RULE}all:\r\n\tgo build\r\n` };
    const registry =
      kind === 'server' ? await startRegistry({ layers: { base: files } }) : undefined;
    const workspace = openWorkspace(files);
    const at = `--registry ${registry?.url ?? workspace.registry}`;
    const { stdout } = await workspace.ok(`show ops/make ${at}`);
    expect(stdout).toContain('all:\n\tgo build\n');
  });

  test('domain list prints the domains', async () => {
    const { ok, json, error, at } = await open();
    const { stdout } = await ok(`domain list ${at}`);
    expect(stdout).toContain('- ops  Operations.');
    const { document } = await json(`domain list ops --depth 1 ${at}`);
    expect(document).toMatchObject({ path: 'ops', description: 'How we run things.' });
    expect((await error(`domain list nowhere ${at}`)).error.code).toBe('domain.not_found');
  });
});

describe('catalog domain', () => {
  verifies('CLI-13', 'analyze prints the structure of a domain', async () => {
    const place = await openPlace();
    const { stdout } = await place.ok(`domain analyze ops ${place.at}`);
    expect(stdout).toMatch(/^ops\n {2}artifacts here +0\n {2}artifacts in total +7\n/);
    expect(stdout).toMatch(/Subdomains\n[^]*ops\/deploy +2/);
    const { document } = await place.json(`domain analyze ops ${place.at}`);
    expect(document).toMatchObject({ path: 'ops', recursive_count: 7 });
  });

  test('search finds domains by their description', async () => {
    const place = await openPlace();
    const { stdout } = await place.ok(`domain search operations ${place.at}`);
    expect(stdout).toMatch(/^1 of 1 domain for "operations"\n\nops +Operations\./);
    const none = await place.ok(`domain search ᚠᚢᚦ ${place.at}`);
    expect(none.stdout).toContain('No domains found for "ᚠᚢᚦ".');
  });
});

test('a command prints the error and the code of a registry plugin', async () => {
  const envelope = {
    code: 'acme.over_budget',
    message: 'The team has no searches left.',
    details: { left: 0 },
    retryable: true,
    suggested_action: 'Ask for more.',
  };
  const registry = await startFakeServer((_, response) =>
    sendJson(response, envelope, { status: 429, headers: { 'retry-after': '600' } }),
  );
  const { error, run } = openWorkspace();
  const message = `The registry at ${registry.url} reports: "The team has no searches left." It suggests: "Ask for more."`;
  const suggested_action = 'Ask the operator of the registry about this error.';
  expect(await error(`search x --registry ${registry.url}`)).toMatchObject({
    code: 3,
    error: { ...envelope, message, suggested_action },
  });
  const { stderr } = await run(`search x --registry ${registry.url}`);
  expect(stderr).toBe(`error: ${message}\n code: acme.over_budget\n next: ${suggested_action}\n`);
});
