import { mcpCommand } from '@catalog/testkit/packed-program';
import { startRegistry } from '@catalog/testkit/registry-server';
import { beforeAll, expect, test } from 'vitest';
import {
  inspect,
  installInspector,
  type Inspection,
} from '../tools/mcp-conformance/run-inspector.ts';
import { openProject } from './e2e/mcp-host.ts';
import { OPS } from './e2e/workspace.ts';

beforeAll(() => installInspector(), 300_000);

async function openInspected(settings: Readonly<Record<string, string>> = {}) {
  const registry = await startRegistry({ layers: { base: OPS } });
  const { root, home } = openProject();
  const env = { CATALOG_REGISTRY: registry.url, ...settings };
  const server = mcpCommand([], { home, cwd: root, env });
  return (...words: string[]): Promise<Inspection> => inspect(server, words);
}

function parseResponse({ code, stdout, stderr }: Inspection): Record<string, unknown> {
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

test('the inspector lists the four tools, and finds no schema that a host could reject', async () => {
  const runInspector = await openInspected();
  const { tools } = parseResponse(await runInspector('--method', 'tools/list', '--strict'));
  expect(tools).toMatchObject([
    { name: 'load_domain' },
    { name: 'search_domains' },
    { name: 'search_artifacts' },
    { name: 'load_artifact' },
  ]);
});

test('the inspector calls a tool', async () => {
  const runInspector = await openInspected();
  const call = ['--method', 'tools/call', '--tool-name', 'search_artifacts'];
  expect(
    parseResponse(await runInspector(...call, '--tool-arg', 'query=verify a release')),
  ).toMatchObject({
    structuredContent: {
      results: expect.arrayContaining([expect.objectContaining({ id: 'ops/deploy/check' })]),
    },
  });
});

test('the inspector lists resources, prompts and skills if they are enabled', async () => {
  const runInspector = await openInspected({ CATALOG_MCP_SURFACES: 'resources,prompts,skills' });
  const { resources } = parseResponse(await runInspector('--method', 'resources/list'));
  expect(resources).toContainEqual(
    expect.objectContaining({ uri: 'catalog://artifact/ops/deploy/check' }),
  );
  expect(parseResponse(await runInspector('--method', 'prompts/list'))).toMatchObject({
    prompts: [{ name: 'ops/deploy/ship' }],
  });
  // The inspector reads every file again and compares the digests.
  expect(parseResponse(await runInspector('--method', 'skills/list', '--verify'))).toMatchObject({
    uri: 'skill://ops/deploy/check/SKILL.md',
    outcome: 'verified',
    conformance: [],
  });
});
