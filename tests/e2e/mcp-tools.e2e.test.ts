import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorEnvelope } from '@catalog/contract/errors/envelope';
import { exchange } from '@catalog/testkit/http-exchange';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { sendJson, startFakeServer } from '@catalog/testkit/fake-server';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { connectHost, PROTOCOL_REVISIONS, openProject, type HostOptions } from './mcp-host.ts';
import { OPS } from './workspace.ts';

let registry: RegistryServer;

beforeAll(async () => {
  registry = await startRegistry({ keep: true, layers: { base: OPS } });
});
afterAll(() => registry.close());

/** Markers around untrusted data in a response. */
const UNTRUSTED_MARKERS = {
  begin_untrusted_data: expect.stringMatching(/^[\da-f]{24} begins data /),
  end_untrusted_data: expect.stringMatching(/^[\da-f]{24}$/),
};

const TOOLS = ['load_domain', 'search_domains', 'search_artifacts', 'load_artifact'];

function host(options: Partial<HostOptions> = {}) {
  return connectHost({
    ...openProject(),
    ...options,
    env: { CATALOG_REGISTRY: registry.url, CATALOG_HARNESS: 'harness-a', ...options.env },
  });
}

function textOf({ content }: CallToolResult): unknown {
  const [only, ...rest] = content;
  expect(rest).toEqual([]);
  return only?.type === 'text' ? JSON.parse(only.text) : undefined;
}

function withoutMark({ structuredContent }: CallToolResult): unknown {
  return Object.fromEntries(
    Object.entries(structuredContent ?? {}).filter(([key]) => !(key in UNTRUSTED_MARKERS)),
  );
}

describe.each(PROTOCOL_REVISIONS)('MCP over stdio, version %s', (revision) => {
  verifies('MCP-01', 'offers the four tools', async () => {
    const { client } = await host({ revision });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    for (const tool of tools) {
      expect(tool.description?.length).toBeGreaterThan(200);
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
      expect(tool.annotations?.readOnlyHint).toBe(tool.name !== 'load_artifact');
    }
  });

  verifies(
    ['MCP-02', 'MCP-03'],
    'returns structured content with the same JSON as text',
    async () => {
      const { call, client } = await host({ revision });
      // After listTools, the client validates every response against its output schema.
      await client.listTools();
      const found = await call('search_artifacts', { query: 'verify a release', top_k: 3 });
      expect(found.isError).not.toBe(true);
      expect(found.structuredContent).toMatchObject({
        query: 'verify a release',
        results: [{ id: 'ops/deploy/check', type: 'skill', version: '1.0.0' }, {}, {}],
      });
      for (const result of [
        found,
        await call('search_artifacts', { tags: ['deploy'] }),
        await call('search_domains', { query: 'operations' }),
        await call('load_domain', { path: 'ops', depth: 2 }),
        await call('load_artifact', { id: 'ops/ref/terms' }),
      ]) {
        expect(result.isError).not.toBe(true);
        expect(textOf(result)).toEqual(result.structuredContent);
      }
    },
  );

  verifies('MCP-04', 'returns an error with its envelope', async () => {
    const { call, client } = await host({ revision });
    await client.listTools();
    for (const [name, args, code] of [
      ['load_artifact', { id: 'no/such' }, 'registry.not_found'],
      ['load_domain', { path: 'no/such' }, 'domain.not_found'],
      ['search_artifacts', { top_k: 1000 }, 'registry.invalid_argument'],
      ['search_artifacts', { qurey: 'x' }, 'registry.invalid_argument'],
      ['load_artifact', {}, 'registry.invalid_argument'],
    ] as const) {
      const result = await call(name, args);
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toMatchObject(UNTRUSTED_MARKERS);
      expect(errorEnvelope.parse(withoutMark(result)).code).toBe(code);
      expect(textOf(result)).toEqual(result.structuredContent);
    }
  });

  verifies(
    'MCP-04',
    'returns the error of a plugin of the registry with its envelope',
    async () => {
      const envelope = {
        code: 'acme.embargoed',
        message: 'Not before Monday.',
        details: { until: '2030-01-07' },
        retryable: false,
        suggested_action: 'Ask the release team.',
      };
      const standIn = await startFakeServer((_, response) =>
        sendJson(response, envelope, { status: 422 }),
      );
      const { call, client } = await host({ revision, env: { CATALOG_REGISTRY: standIn.url } });
      await client.listTools();
      for (const [name, args] of [
        ['load_artifact', { id: 'ops/deploy/check' }],
        ['load_domain', { path: 'ops' }],
        ['search_domains', { query: 'ops' }],
        ['search_artifacts', { query: 'ops' }],
      ] as const) {
        const result = await call(name, args);
        expect(result.isError).toBe(true);
        expect(result.structuredContent).toEqual({
          ...UNTRUSTED_MARKERS,
          code: 'acme.embargoed',
          message: `The registry at ${standIn.url} reports: "Not before Monday." It suggests: "Ask the release team."`,
          details: { until: '2030-01-07' },
          retryable: false,
          suggested_action: 'Ask the operator of the registry about this error.',
        });
        expect(textOf(result)).toEqual(result.structuredContent);
      }
    },
  );

  test('writes an artifact into the folder that the host names', async () => {
    const project = openProject();
    const { call } = await host({ ...project, revision, roots: [project.root] });
    const { structuredContent } = await call('load_artifact', { id: 'ops/deploy/check' });
    const skill = join(project.root, '.harness-a/skills/check/SKILL.md');
    expect(structuredContent).toMatchObject({
      id: 'ops/deploy/check',
      skill_body: readFileSync(skill, 'utf8'),
      materialized_at: expect.arrayContaining([skill]),
      use: expect.any(String),
    });
  });

  test('returns the content if the host names no folder', async () => {
    const project = openProject();
    const { call } = await host({ ...project, revision });
    const { structuredContent } = await call('load_artifact', { id: 'ops/deploy/check' });
    expect(structuredContent).toMatchObject({
      materialized_at: [],
      not_materialized: expect.stringContaining('CATALOG_MATERIALIZE_ROOT'),
      resources: { 'references/policy.md': 'Never on Fridays.\n' },
    });
    expect(existsSync(join(project.root, '.harness-a'))).toBe(false);
  });

  test.each([true, false])('prompts before it writes a hook, and accepts %s', async (agreed) => {
    const project = openProject();
    let prompts = 0;
    const confirms = () => {
      prompts += 1;
      return agreed;
    };
    const { call } = await host({ ...project, revision, roots: [project.root], confirms });
    await call('load_artifact', { id: 'ops/deploy/check' });
    expect(prompts).toBe(0);
    const result = await call('load_artifact', { id: 'ops/guard/log-stop' });
    expect(prompts).toBe(1);
    expect(existsSync(join(project.root, '.harness-a/settings.json'))).toBe(agreed);
    expect(result.structuredContent).toHaveProperty(agreed ? 'use' : 'not_materialized');
  });

  test('applies the overlay in the folder that the host names', async () => {
    const project = openProject({
      '.catalog/overlay/ops/own/ARTIFACT.md':
        '---\ntype: context\nversion: 1.0.0\ndescription: Zebra facts of this project.\n---\nStripes.\n',
    });
    const otherProject = openProject();
    const { call } = await host({ ...otherProject, revision, roots: [project.root] });
    const { structuredContent } = await call('search_artifacts', { query: 'zebra facts' });
    expect(structuredContent).toMatchObject({ results: { 0: { id: 'ops/own' } } });
  });

  test('returns a protocol error for an unknown tool', async () => {
    const { call } = await host({ revision });
    await expect(call('batch_load', { ids: [] })).rejects.toMatchObject({ code: -32_602 });
  });
});

verifies('MODE-05', 'the registry does not serve MCP', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const path of ['/mcp', '/v1/mcp', '/sse']) {
    const { status } = await exchange(registry.url, path, { method: 'POST', body });
    expect(status).toBe(404);
  }
  // Only catalog-mcp serves MCP, and returns the response of the registry.
  const { call } = await host();
  const { structuredContent } = await call('load_domain', { path: 'ops' });
  const served = await exchange(registry.url, '/v1/load_domain?path=ops');
  expect(structuredContent).toEqual({
    ...JSON.parse(served.raw.toString()),
    ...UNTRUSTED_MARKERS,
  });
});

verifies('BATCH-10', 'batch loading is not an MCP tool', async () => {
  const body = { ids: ['ops/ref/terms'] };
  const batch = await exchange(registry.url, '/v1/artifacts:batchLoad', { method: 'POST', body });
  expect(batch.status).toBe(200);
  const { client } = await host();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS);
  expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toContain('"ids"');
});
