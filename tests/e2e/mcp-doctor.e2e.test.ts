import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startOidcProvider } from '@catalog/testkit/oidc-provider-server';
import { mcpCommand } from '@catalog/testkit/packed-program';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { readTree, writeTree } from '@catalog/testkit/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPlace as openSignIn, signIn } from './sign-in.ts';
import { openWorkspace, OPS, type Workspace } from './workspace.ts';

let registry: RegistryServer;

beforeAll(async () => {
  registry = await startRegistry({ keep: true, layers: { base: OPS } });
});
afterAll(() => registry.close());

const TOOLS = ['load_domain', 'search_domains', 'search_artifacts', 'load_artifact'];

interface Report {
  file?: { path: string; entry: string };
  program: { command: string; path?: string; version?: string };
  settings?: Record<string, unknown>;
  registry_state: string;
  eras: {
    revision: string;
    start_ms?: number;
    tools: { tool: string; ms: number; answer: string }[];
  }[];
  problems: { what: string; next: string }[];
}

/** Opens a workspace whose PATH has the installed `catalog-mcp`, or the given script. */
function openPlace(script?: string): { workspace: Workspace; env: Record<string, string> } {
  const workspace = openWorkspace();
  const { command, args, env, cwd } = mcpCommand([], { cwd: workspace.root, home: workspace.home });
  const bin = join(dirname(cwd), 'bin');
  const installed = `exec ${[command, ...args].join(' ')} "$@"`;
  writeTree(bin, { 'catalog-mcp': `#!/bin/sh\n${script ?? installed}\n` });
  chmodSync(join(bin, 'catalog-mcp'), 0o755);
  return { workspace, env: { PATH: `${bin}:${env['PATH'] ?? ''}` } };
}

async function diagnose(
  words: string,
  { workspace, env }: ReturnType<typeof openPlace>,
  more: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; report: Report }> {
  const { code, document } = await workspace.json(`mcp doctor ${words}`.trim(), {
    ...env,
    ...more,
  });
  const report: Report = JSON.parse(JSON.stringify(document));
  return { code, report };
}

describe('catalog mcp doctor', () => {
  test("tests both protocol revisions and every tool with the harness's own command, and leaves no files behind", async () => {
    const place = openPlace();
    const { workspace } = place;
    await workspace.ok('mcp config harness-a --write', { CATALOG_REGISTRY: registry.url });
    const before = readTree(workspace.root);
    // Only the entry contains the registry URL, so the server must have read it from there.
    const temporary = join(workspace.home, 'tmp');
    mkdirSync(temporary);
    const { code, report } = await diagnose('harness-a', place, { TMPDIR: temporary });
    expect(report.problems).toEqual([]);
    expect(code).toBe(0);
    expect(report).toMatchObject({
      file: { path: join(workspace.root, '.mcp.json'), entry: 'found' },
      program: { command: 'catalog-mcp', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      settings: {
        registry: registry.url,
        harness: 'harness-a',
        cache_mode: 'always-revalidate',
        writes_to: workspace.root,
      },
      registry_state: 'answers',
    });
    expect(report.eras.map(({ revision }) => revision)).toEqual(['2025-11-25', '2026-07-28']);
    for (const probe of report.eras) {
      expect(probe.start_ms).toBeGreaterThan(0);
      expect(probe.tools.map(({ tool }) => tool)).toEqual(TOOLS);
      expect(probe.tools.at(-1)?.answer).toMatch(/[1-9] files? written for a test and removed/);
    }
    expect(readTree(workspace.root)).toEqual(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('prints its findings as text', async () => {
    const { workspace, env } = openPlace();
    await workspace.ok('mcp config harness-f --write', { CATALOG_REGISTRY: registry.url });
    const { stdout } = await workspace.ok('mcp doctor harness-f', env);
    expect(stdout).toContain('file       .harness-f/config.toml: has the entry\n');
    expect(stdout).toContain(`registry   ${registry.url}: reachable\n`);
    expect(stdout).toMatch(/MCP 2026-07-28 {2}first response \(\d+ ms\)\n {2}load_domain /);
    expect(stdout).toContain('No problems found.');
  });

  test.each(['harness-a', 'harness-e', 'harness-f', 'harness-i', 'zed', 'kilo'])(
    'reads back the entry that mcp config wrote for %s',
    async (harness) => {
      const place = openPlace('echo "catalog-mcp 0.0.1"');
      const url = { CATALOG_REGISTRY: 'http://127.0.0.1:9' };
      await place.workspace.ok(`mcp config ${harness} --write --yes`, url);
      const { report } = await diagnose(harness, place);
      expect(report.file?.entry).toBe('found');
      expect(report.settings).toMatchObject({ registry: 'http://127.0.0.1:9', harness });
    },
  );

  test('reports a missing entry and how to add it', async () => {
    const place = openPlace();
    const { code, report } = await diagnose('harness-d', place, {
      CATALOG_REGISTRY: registry.url,
    });
    expect(code).toBe(1);
    expect(report.file?.entry).toBe('missing');
    expect(report.problems).toEqual([
      {
        what: expect.stringContaining('.harness-d/mcp.json has no catalog-mcp entry'),
        next: expect.stringContaining('`catalog mcp config harness-d --write`'),
      },
    ]);
    expect(existsSync(join(place.workspace.root, '.harness-d'))).toBe(false);
  });

  test('reports a disabled entry and an unreadable file', async () => {
    const place = openPlace();
    const { root } = place.workspace;
    await place.workspace.ok('mcp config harness-e --write', { CATALOG_REGISTRY: registry.url });
    const text = readFileSync(join(root, 'opencode.json'), 'utf8');
    writeTree(root, { 'opencode.json': text.replace('"enabled": true', '"enabled": false') });
    const off = await diagnose('harness-e', place);
    expect(off.report.file?.entry).toBe('switched-off');
    expect(off.report.problems).toHaveLength(1);
    writeTree(root, { 'opencode.json': '{ "mcp": ' });
    const broken = await diagnose('harness-e', place, { CATALOG_REGISTRY: registry.url });
    expect(broken.report.file?.entry).toBe('unreadable');
    expect(broken.code).toBe(1);
  });

  test('reports a missing program', async () => {
    const workspace = openWorkspace();
    const { code, report } = await diagnose('', {
      workspace,
      env: { CATALOG_REGISTRY: registry.url },
    });
    expect(code).toBe(1);
    expect(report.eras).toEqual([]);
    expect(report.problems).toMatchObject([{ what: 'catalog-mcp is not on the PATH.' }]);
  });

  test('prints the reason if the server does not start', async () => {
    const { code, report } = await diagnose('', openPlace(), { CATALOG_REGISTRY: '/no/address' });
    expect(code).toBe(1);
    expect(report.problems).toMatchObject([
      {
        what: expect.stringContaining('catalog-mcp does not start'),
        next: expect.stringContaining('catalog serve --layer-path /no/address'),
      },
    ]);
  });

  test('distinguishes an unavailable registry from broken tools', async () => {
    const { code, report } = await diagnose('', openPlace(), {
      CATALOG_REGISTRY: 'http://127.0.0.1:9',
    });
    expect(code).toBe(1);
    expect(report.registry_state).toBe('unreachable');
    expect(report.problems).toHaveLength(1);
    expect(report.problems[0]?.what).toContain('http://127.0.0.1:9');
  });

  test('reports a missing sign-in, and the signed-in user', async () => {
    const provider = await startOidcProvider();
    const { env: known } = await openSignIn(provider);
    const env: Record<string, string> = { ...known, CATALOG_TOKEN_STORE: 'file' };
    const place = openPlace();
    const before = await diagnose('', place, env);
    expect(before.code).toBe(1);
    expect(before.report.registry_state).toBe('refuses');
    expect(before.report.problems).toEqual([
      {
        what: expect.stringContaining('requires a sign-in, and you are not signed in'),
        next: expect.stringContaining(`catalog login --registry ${env['CATALOG_REGISTRY']}`),
      },
    ]);
    await signIn(place.workspace, provider, env, 'bob');
    const after = await diagnose('', place, env);
    expect(after.report.problems).toEqual([]);
    expect(after.report.settings).toMatchObject({ identity: 'bob, token from file' });
  });

  test('detects a wrapper that prints to stdout, and a different program', async () => {
    const { command, args } = mcpCommand([], { cwd: '/', home: '/' });
    const chatty = openPlace(`echo welcome\nexec ${[command, ...args].join(' ')} "$@"`);
    const url = { CATALOG_REGISTRY: registry.url };
    const printed = await diagnose('', chatty, url);
    expect(printed.report.problems).toMatchObject([{ what: expect.stringContaining('welcome') }]);
    const other = await diagnose('', openPlace('exec true'), url);
    expect(other.code).toBe(1);
    expect(other.report.problems[0]?.what).toContain('does not identify itself as catalog-mcp');
  });

  test('rejects a harness that does not run servers, and suggests an alternative', async () => {
    const { error } = await openWorkspace().error('mcp doctor harness-h');
    expect(error).toMatchObject({ code: 'config.invalid', suggested_action: /sync/ });
  });
});
