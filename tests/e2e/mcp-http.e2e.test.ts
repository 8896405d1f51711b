import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mcpCommand } from '@catalog/testkit/packed-program';
import { exchange } from '@catalog/testkit/http-exchange';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PROTOCOL_REVISIONS, initialize, modernRequest, openProject } from './mcp-host.ts';
import { OPS } from './workspace.ts';

let registry: RegistryServer;

beforeAll(async () => {
  registry = await startRegistry({ keep: true, layers: { base: OPS } });
});
afterAll(() => registry.close());

interface OverHttp {
  url: URL;
  secret: string;
  stderr: () => string;
}

async function startHttp(env: Readonly<Record<string, string>> = {}): Promise<OverHttp> {
  const { root, home } = openProject();
  const given = { cwd: root, home, env: { CATALOG_REGISTRY: registry.url, ...env } };
  const { command, args, ...surroundings } = mcpCommand(['--http'], given);
  const child = spawn(command, args, { ...surroundings, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stdout).toBe('');
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  return new Promise((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      const match = /listening on (\S+)[^]*Bearer ([\w-]+)"/.exec(stderr);
      if (match?.[1] === undefined || match[2] === undefined) return;
      resolve({ url: new URL(match[1]), secret: match[2], stderr: () => stderr });
    });
  });
}

async function connect(
  { url, secret }: Pick<OverHttp, 'url' | 'secret'>,
  revision: string,
): Promise<Client> {
  const client = new Client(
    { name: 'test-host', version: '1.0.0' },
    revision === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  );
  onTestFinished(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${secret}` } },
    }),
  );
  return client;
}

describe.each(PROTOCOL_REVISIONS)('MCP over HTTP, version %s', (revision) => {
  test('serves the official client', async () => {
    const { url, secret, stderr } = await startHttp();
    const client = await connect({ url, secret }, revision);
    expect((await client.listTools()).tools).toHaveLength(4);
    const { structuredContent } = await client.callTool({
      name: 'search_artifacts',
      arguments: { query: 'verify a release' },
    });
    expect(structuredContent).toMatchObject({ query: 'verify a release' });
    expect(stderr().split(secret)).toHaveLength(2);
  });

  test('offers the configured surfaces without change notifications', async () => {
    const surfaces = { CATALOG_MCP_SURFACES: 'resources,prompts,skills' };
    const client = await connect(await startHttp(surfaces), revision);
    expect(client.getServerCapabilities()).toMatchObject({
      resources: { listChanged: false },
      prompts: { listChanged: false },
      extensions: { 'io.modelcontextprotocol/skills': {} },
    });
    expect((await client.listResources()).resources).toHaveLength(7);
    expect((await client.listPrompts()).prompts).toHaveLength(1);
  });
});

describe('access to MCP over HTTP', () => {
  const accept = 'application/json, text/event-stream';

  async function sendRequest(
    { url, secret }: OverHttp,
    headers: Record<string, string> = {},
    body: object = initialize('2025-11-25'),
    path = '/mcp',
  ) {
    const { status, raw } = await exchange(url.origin, path, {
      method: 'POST',
      body,
      headers: { accept, authorization: `Bearer ${secret}`, ...headers },
    });
    return { status, text: raw.toString() };
  }

  test('requires the secret, a local host name and no foreign origin', async () => {
    const server = await startHttp();
    expect(await sendRequest(server)).toMatchObject({ status: 200 });
    expect(await sendRequest(server, { origin: server.url.origin })).toMatchObject({ status: 200 });
    for (const authorization of ['', 'Bearer x', `Basic ${server.secret}`]) {
      const { status, text } = await sendRequest(server, { authorization });
      expect(status).toBe(401);
      expect(text).toContain('auth.untrusted_token');
    }
    for (const headers of [
      { host: 'evil.example' },
      { host: `evil.example:${server.url.port}` },
      { host: `127.0.0.1.evil.example:${server.url.port}` },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:1` },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status, text } = await sendRequest(server, headers);
      expect(status).toBe(403);
      expect(text).toContain('auth.csrf_invalid');
    }
    expect(await sendRequest(server, {}, {}, '/elsewhere')).toMatchObject({ status: 404 });
  });

  test('rejects an outdated host and an unknown protocol version', async () => {
    const server = await startHttp({ CATALOG_MCP_MIN_CLIENTS: 'test-host=2' });
    for (const [body, code] of [
      [initialize('2025-11-25'), 'mcp.client_too_old'],
      [modernRequest(1, 'tools/list'), 'mcp.client_too_old'],
      [initialize('2024-01-01'), 'mcp.unsupported_version'],
      [modernRequest(1, 'tools/list', {}, { revision: '2099-01-01' }), 'mcp.unsupported_version'],
    ] as const) {
      const claimed = JSON.stringify(body).includes('2099') ? '2099-01-01' : '2026-07-28';
      const { status, text } = await sendRequest(server, { 'mcp-protocol-version': claimed }, body);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ id: 1, error: { data: { code } } });
    }
  });
});
