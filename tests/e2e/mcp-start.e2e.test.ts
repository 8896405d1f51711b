import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@catalog/contract/version';
import { mcpCommand } from '@catalog/testkit/packed-program';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { startFakeServer } from '@catalog/testkit/fake-server';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import {
  connectHost,
  initialize,
  modernRequest,
  openProject,
  runRaw,
  type HostOptions,
} from './mcp-host.ts';
import { until } from './until.ts';
import { OPS, openWorkspace } from './workspace.ts';

let registry: RegistryServer;

beforeAll(async () => {
  registry = await startRegistry({ keep: true, layers: { base: OPS } });
});
afterAll(() => registry.close());

function options(env: Readonly<Record<string, string>> = {}): HostOptions {
  return { ...openProject(), env: { CATALOG_REGISTRY: registry.url, ...env } };
}

describe('catalog-mcp at startup', () => {
  verifies(
    ['ERR-37', 'DELIV-05'],
    'rejects a folder as the registry, and prints the command that serves it',
    async () => {
      const project = openProject();
      const folder = join(project.root, 'my registry');
      mkdirSync(folder);
      for (const value of [folder, './my registry']) {
        const env = { CATALOG_REGISTRY: value };
        const run = await runRaw([initialize('2025-11-25')], { ...project, env });
        expect(run).toMatchObject({ code: 2, messages: [] });
        expect(run.stderr).toContain('code: config.filesystem_registry_unsupported');
        expect(run.stderr).toContain(`catalog serve --layer-path '${folder}'`);
      }
    },
  );

  test('rejects a missing registry', async () => {
    const run = await runRaw([], { ...openProject(), env: {} });
    expect(run).toMatchObject({ code: 2, messages: [] });
    expect(run.stderr).toContain('code: config.no_registry');
  });

  test.each([
    ['CATALOG_CACHE_MODE', 'sometimes'],
    ['CATALOG_MCP_WRITE', 'everything'],
    ['CATALOG_IGNORE_RUNTIME_REQUIREMENTS', 'python'],
    ['CATALOG_MCP_MIN_CLIENTS', 'some-host'],
  ])('rejects %s=%s', async (name, value) => {
    const run = await runRaw([], options({ [name]: value }));
    expect(run).toMatchObject({ code: 2, messages: [] });
    expect(run.stderr).toContain('code: config.invalid');
    expect(run.stderr).toContain(name);
  });

  test('accepts invalid settings of calls, which fail later', async () => {
    const given = options({ CATALOG_IDENTITY_PROVIDER: 'a-friend' });
    const { call } = await connectHost(given);
    const { isError, structuredContent } = await call('load_domain');
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('CATALOG_IDENTITY_PROVIDER'),
    });
  });

  test('rejects unknown arguments', async () => {
    const run = await runRaw([], options(), ['--htpt']);
    expect(run).toMatchObject({ code: 2, messages: [] });
    expect(run.stderr).toContain('catalog-mcp --help');
  });
});

test('catalog-mcp --version prints the version', () => {
  const { command, args, env } = mcpCommand(['--version'], { ...options(), cwd: '/' });
  const { stdout, status } = spawnSync(command, args, { env, encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: `catalog-mcp ${VERSION}\n`, status: 0 });
});

describe('configuration of catalog-mcp', () => {
  verifies(
    'MCP-05',
    'reads the registry from its environment variable or from the sync file',
    async () => {
      const inFile = openProject({
        '.catalog/sync.yaml': `defaults:\n  registry: ${registry.url}\n`,
      });
      const overruled = openProject({
        '.catalog/sync.yaml': 'defaults:\n  registry: http://127.0.0.1:9\n',
      });
      for (const given of [
        { ...inFile, env: {} },
        { ...overruled, env: { CATALOG_REGISTRY: registry.url } },
      ]) {
        const { call } = await connectHost(given);
        const { structuredContent } = await call('load_domain', { path: 'ops' });
        expect(structuredContent).toMatchObject({ path: 'ops' });
      }
      const { call } = await connectHost({ ...overruled, env: {} });
      const { structuredContent } = await call('load_artifact', { id: 'ops/ref/terms' });
      expect(structuredContent).toMatchObject({ code: 'network.registry_unreachable' });
    },
  );

  verifies(
    'MCP-06',
    'reads the harness only from its environment variable; the default is `none`',
    async () => {
      const files = {
        '.catalog/sync.yaml':
          'defaults:\n  harness: harness-d\n  profile: mine\nprofiles:\n  mine:\n    harness: harness-e\n',
      };
      for (const [env, place] of [
        [{}, 'ops/deploy/check/SKILL.md'],
        [{ CATALOG_HARNESS: 'harness-a' }, '.harness-a/skills/check/SKILL.md'],
      ] as const) {
        const project = openProject(files);
        const { call } = await connectHost({
          ...project,
          env: { CATALOG_REGISTRY: registry.url, ...env },
        });
        const { structuredContent } = await call('load_artifact', { id: 'ops/deploy/check' });
        expect(structuredContent).toMatchObject({
          materialized_at: expect.arrayContaining([join(project.root, place)]),
        });
      }
    },
  );

  verifies('ENV-07', 'sends CATALOG_TOKEN with every request, like sync', async () => {
    const standIn = await startFakeServer((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    });
    const env = { CATALOG_REGISTRY: standIn.url, CATALOG_TOKEN: 'my-token' };
    const { call } = await connectHost(options(env));
    for (const name of ['load_domain', 'search_domains', 'search_artifacts']) await call(name);
    await call('load_artifact', { id: 'a/b' });
    const requestCount = standIn.requests.length;
    expect(requestCount).toBeGreaterThanOrEqual(4);
    await openWorkspace().run('sync --harness none', env);
    expect(standIn.requests.length).toBeGreaterThan(requestCount);
    for (const { headers } of standIn.requests) {
      expect(headers.authorization).toBe('Bearer my-token');
    }
  });
});

describe('protocol version of catalog-mcp', () => {
  verifies(
    'MCP-07',
    'is the requested one if supported, and the newest one for a newer request',
    async () => {
      for (const [requested, answered] of [
        ['2024-11-05', '2024-11-05'],
        ['2025-03-26', '2025-03-26'],
        ['2025-06-18', '2025-06-18'],
        ['2025-11-25', '2025-11-25'],
        ['2031-01-01', '2025-11-25'],
      ] as const) {
        const { messages, code } = await runRaw([initialize(requested)], options());
        expect(messages).toMatchObject([{ id: 1, result: { protocolVersion: answered } }]);
        expect(code).toBe(0);
      }
      const discovered = await runRaw([modernRequest(1, 'server/discover')], options());
      expect(discovered.messages).toMatchObject([
        { id: 1, result: { supportedVersions: ['2026-07-28'] } },
      ]);
    },
  );

  verifies('ERR-61', 'is rejected with its error code if unknown', async () => {
    for (const [request, supported] of [
      [initialize('2024-10-07'), ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']],
      [modernRequest(1, 'server/discover', {}, { revision: '2026-01-01' }), ['2026-07-28']],
      [modernRequest(1, 'tools/list', {}, { revision: '2099-01-01' }), ['2026-07-28']],
    ] as const) {
      const { messages } = await runRaw([request], options());
      expect(messages).toMatchObject([
        {
          id: 1,
          error: {
            data: {
              code: 'mcp.unsupported_version',
              supported,
              suggested_action: expect.any(String),
            },
          },
        },
      ]);
    }
  });

  verifies('ERR-62', 'is not negotiated with a host below the minimum version', async () => {
    const env = { CATALOG_MCP_MIN_CLIENTS: 'Some-Host=1.10, other=2' };
    const old = { name: 'some-host', version: '1.9.3' };
    for (const request of [
      initialize('2025-11-25', old),
      modernRequest(1, 'server/discover', {}, { info: old }),
      modernRequest(1, 'tools/list', {}, { info: old }),
    ]) {
      const { messages } = await runRaw([request], options(env));
      expect(messages).toMatchObject([
        { id: 1, error: { data: { code: 'mcp.client_too_old', details: {} } } },
      ]);
    }
    for (const info of [
      { name: 'some-host', version: '1.10.0' },
      { name: 'x', version: '0' },
    ]) {
      const { messages } = await runRaw([initialize('2025-11-25', info)], options(env));
      expect(messages).toMatchObject([{ id: 1, result: {} }]);
    }
  });
});

describe('exit of catalog-mcp', () => {
  test('follows after stdin is closed and all requests have a response', async () => {
    const run = await runRaw(
      [
        initialize('2025-11-25'),
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        {
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'search_artifacts', arguments: { query: 'release' } },
        },
      ],
      options(),
    );
    expect(run.code).toBe(0);
    expect(run.messages).toMatchObject([
      { id: 1 },
      { id: 2, result: { structuredContent: { query: 'release' } } },
    ]);
  });

  test('happens on SIGTERM, with only protocol messages on stdout', async () => {
    const given = options();
    const { command, args, env, cwd } = mcpCommand([], { ...given, cwd: given.root });
    const child = spawn(command, args, { env, cwd });
    child.stdin.write(`${JSON.stringify(initialize('2025-11-25'))}\n`);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  });

  test('is not caused by malformed input', async () => {
    const { messages, stderr, code } = await runRaw(
      [
        'hello?',
        '{"jsonrpc":"2.0","id":',
        '[]',
        'null',
        '{"jsonrpc":"2.0","id":7,"method":5}',
        `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"x":"${'y'.repeat(17_000_000)}"}}`,
        `{"method":"tools/call","params":{"x":"${'y'.repeat(17_000_000)}"},"jsonrpc":"2.0","id":9}`,
        initialize('2025-11-25'),
      ],
      options(),
    );
    expect(messages).toMatchObject([
      { id: 7, error: { code: -32_600 } },
      { id: 8, error: { code: -32_600 } },
      { id: 9, error: { code: -32_600 } },
      { id: 1, result: {} },
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('a line from the host was not JSON');
  });

  test('is not caused by a module that prints to stdout, which is redirected to stderr', async () => {
    const given = options();
    writeTree(given.root, {
      'stray.mjs': `setInterval(() => {
        console.log('a stray line');
        process.stdout.write('stray bytes');
      }, 50).unref();\n`,
    });
    const env = { ...given.env, NODE_OPTIONS: `--import=${join(given.root, 'stray.mjs')}` };
    const { stderr, call } = await connectHost({ ...given, env });
    await until('a stray line', () =>
      /stray line[^]*stray bytes/.test(stderr()) ? true : undefined,
    );
    const { structuredContent } = await call('load_domain', { path: 'ops' });
    expect(structuredContent).toMatchObject({ path: 'ops' });
  });
});
