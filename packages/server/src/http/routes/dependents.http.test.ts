import { dependents } from '@catalog/contract/endpoints/discovery';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function artifact(type: string, name: string, version: string, more = ''): string {
  return `---\ntype: ${type}\nname: ${name}\nversion: ${version}\ndescription: About ${name}.\n${more}---\nDo it.\n`;
}

async function edgesTo(server: RegistryServer, id: string): Promise<unknown[]> {
  return (await server.call(dependents, { query: { id } })).edges;
}

verifies(
  ['CATALOG-03', 'CATALOG-10'],
  'dependents lists artifacts that extend, delegate to or serve through an artifact',
  async () => {
    const server = await startRegistry({
      layers: {
        base: {
          'ops/check/ARTIFACT.md': artifact('rule', 'check', '1.0.0'),
          'ops/wh/ARTIFACT.md': artifact(
            'mcp-server',
            'wh',
            '1.0.0',
            'server_identifier: npx:wh-mcp\n',
          ),
          'ops/strict/ARTIFACT.md': artifact(
            'rule',
            'strict',
            '1.0.0',
            'extends: ops/check@1.0.0\n',
          ),
          'bots/one/ARTIFACT.md': artifact(
            'agent',
            'one',
            '1.0.0',
            'delegates_to: [ops/check@1.x]\nmcpServers: [{name: wh, command: npx, args: ["-y", "wh-mcp"]}]\n',
          ),
        },
      },
    });
    expect(await edgesTo(server, 'ops/check')).toEqual([
      { from: 'bots/one', to: 'ops/check', kind: 'delegates_to' },
      { from: 'ops/strict', to: 'ops/check', kind: 'extends' },
    ]);
    expect(await edgesTo(server, 'ops/wh')).toEqual([
      { from: 'bots/one', to: 'ops/wh', kind: 'mcpServers' },
    ]);
    expect(await edgesTo(server, 'ops/nothing')).toEqual([]);
  },
);

test('dependents are paged by id and kind', async () => {
  const agents = ['a', 'b', 'c'].map((name) => [
    `bots/${name}/ARTIFACT.md`,
    artifact('agent', name, '1.0.0', 'delegates_to: [ops/check]\n'),
  ]);
  const server = await startRegistry({
    layers: {
      base: {
        'ops/check/ARTIFACT.md': artifact('rule', 'check', '1.0.0'),
        ...Object.fromEntries(agents),
      },
      team: { 'bots/a/ARTIFACT.md': artifact('agent', 'a', '2.0.0', 'extends: bots/a@1.0.0\n') },
    },
  });
  const page = (query: { limit?: number; cursor?: string }) =>
    server.call(dependents, { query: { id: 'ops/check', ...query } });
  const edge = (from: string) => ({ from, to: 'ops/check', kind: 'delegates_to' });
  const first = await page({ limit: 1 });
  expect(first.edges).toEqual([edge('bots/a')]);
  const last = await page({ cursor: first.next_cursor ?? '' });
  expect(last).toEqual({ edges: [edge('bots/b'), edge('bots/c')] });
  expect((await page({ limit: 3 })).next_cursor).toBeUndefined();
});

test('the last page of visible dependents has no cursor', async () => {
  const server = await startRegistry();
  const users = {
    'bots/a/ARTIFACT.md': artifact('agent', 'a', '1.0.0', 'delegates_to: [ops/check]\n'),
    'bots/b/ARTIFACT.md': artifact('rule', 'b', '1.0.0', 'extends: ops/check@1.0.0\n'),
  };
  await server.ingest({ ...users, 'ops/check/ARTIFACT.md': artifact('rule', 'check', '1.0.0') });
  const page = () => server.call(dependents, { query: { id: 'ops/check', limit: 1 } });
  expect((await page()).next_cursor).toBe('delegates_to bots/a');
  await server.ingest(users);
  const edge = { from: 'bots/a', to: 'ops/check', kind: 'delegates_to' };
  expect(await page()).toEqual({ edges: [edge] });
});

test.each([{ limit: '0' }, { limit: '201' }, { cursor: 'ops/check' }])(
  'dependents rejects %j',
  async (query) => {
    const server = await startRegistry();
    const { status, body } = await server.request(dependents, {
      query: { id: 'ops/check', ...query },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'registry.invalid_argument' });
  },
);

// Regression test: edges of earlier versions once accumulated.
test('an edge is listed once, and removed with its version', async () => {
  const server = await startRegistry();
  const check = { 'ops/check/ARTIFACT.md': artifact('rule', 'check', '1.0.0') };
  const bot = (version: string, more: string) => ({
    'bots/one/ARTIFACT.md': artifact('agent', 'one', version, more),
  });
  const edge = { from: 'bots/one', to: 'ops/check', kind: 'delegates_to' };
  await server.ingest({ ...check, ...bot('1.0.0', 'delegates_to: [ops/check]\n') });
  await server.ingest({ ...check, ...bot('1.1.0', 'delegates_to: [ops/check@1.x, ops/check]\n') });
  expect(await edgesTo(server, 'ops/check')).toEqual([edge]);
  await server.ingest({ ...check, ...bot('1.2.0', '') });
  expect(await edgesTo(server, 'ops/check')).toEqual([]);
  await server.ingest({ ...check, ...bot('1.3.0', 'delegates_to: [ops/check]\n') });
  await server.ingest(check);
  expect(await edgesTo(server, 'ops/check')).toEqual([]);
});

test('a child with an outdated parent is marked as stale (SPEC-23)', async () => {
  const server = await startRegistry();
  const child = {
    'ops/strict/ARTIFACT.md': artifact('rule', 'strict', '1.0.0', 'extends: ops/check@1.0.x\n'),
  };
  const parent = (version: string) => ({
    'ops/check/ARTIFACT.md': artifact('rule', 'check', version),
  });
  const edge = { from: 'ops/strict', to: 'ops/check', kind: 'extends' };
  await server.ingest({ ...parent('1.0.0'), ...child });
  expect(await edgesTo(server, 'ops/check')).toEqual([edge]);
  await server.ingest({ ...parent('1.0.1'), ...child });
  expect(await edgesTo(server, 'ops/check')).toEqual([{ ...edge, stale: true }]);
});

test('an overlay depends on the artifact it overlays and is stale when that artifact changes', async () => {
  const server = await startRegistry();
  const base = (version: string) => ({
    'ops/check/ARTIFACT.md': artifact('rule', 'check', version),
  });
  const edge = { from: 'ops/check', to: 'ops/check', kind: 'extends' };
  await server.ingest(base('1.0.0'));
  await server.ingest(
    { 'ops/check/ARTIFACT.md': artifact('rule', 'check', '5.0.0', 'extends: ops/check@1.0.0\n') },
    { id: 'team' },
  );
  expect(await edgesTo(server, 'ops/check')).toEqual([edge]);
  await server.ingest(base('1.1.0'));
  expect(await edgesTo(server, 'ops/check')).toEqual([{ ...edge, stale: true }]);
});
