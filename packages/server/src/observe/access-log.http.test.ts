import { endpointGroups } from '@catalog/contract/endpoints/table';
import { batchLoad, listVersions, loadArtifact } from '@catalog/contract/endpoints/materialization';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { artifactReader } from '../http/named-artifacts.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';
const SETTINGS = { ...TRUSTED_HEADERS, access_log: true, 'log.level': 'info' } as const;
const requestLine = z.looseObject({
  msg: z.string(),
  endpoint: z.string().optional(),
  caller: z.string().optional(),
});

function requestLines({ log }: RegistryServer): z.infer<typeof requestLine>[] {
  return log.map((line) => requestLine.parse(JSON.parse(line))).filter(isRequest);
}

function isRequest({ msg }: { msg: string }): boolean {
  return msg === 'request';
}

const ann = asCaller({ subject: 'ann@example.com' });
const bob = asCaller({ subject: 'bob@example.com' });

async function sendRequests(server: RegistryServer): Promise<void> {
  for (const headers of [ann, bob, ann, {}]) {
    await server.as(headers).request(listVersions, { query: { id: 'ops/greet' } });
  }
}

test('the access log identifies callers by a keyed hash of the subject', async () => {
  const server = await startRegistry({ settings: SETTINGS });
  await sendRequests(server);
  const callers = requestLines(server).map(({ caller }) => caller);
  expect(callers).toEqual([
    expect.stringMatching(/^[0-9a-f]{16}$/),
    expect.stringMatching(/^[0-9a-f]{16}$/),
    callers[0],
    undefined,
  ]);
  expect(callers[1]).not.toBe(callers[0]);
  expect(server.log.join('\n')).not.toContain('example.com');
});

test('processes with the same key use the same hash for a caller, and processes with other keys do not', async () => {
  const hashWith = async (key: string | undefined): Promise<string | undefined> => {
    const server = await startRegistry({ settings: { ...SETTINGS, 'log.caller_key': key } });
    await sendRequests(server);
    return requestLines(server)[0]?.caller;
  };
  const first = await hashWith('a key for the log');
  expect(await hashWith('a key for the log')).toBe(first);
  expect(await hashWith('another key')).not.toBe(first);
  expect(await hashWith(undefined)).not.toBe(await hashWith(undefined));
});

test('the access log shows subjects or no callers if configured', async () => {
  for (const [form, name] of [
    ['subject', 'ann@example.com'],
    ['none', undefined],
  ] as const) {
    const server = await startRegistry({ settings: { ...SETTINGS, 'log.caller': form } });
    await sendRequests(server);
    expect(requestLines(server)[0]?.caller).toBe(name);
  }
});

test('the access log contains the artifact ids of a request', async () => {
  const server = await startRegistry({
    settings: { access_log: true, 'log.level': 'info' },
    layers: { base: { 'ops/greet/ARTIFACT.md': RULE } },
  });
  await server.request(loadArtifact, { query: { id: 'ops/greet' } });
  await server.request(loadArtifact, { query: { id: 'ops/missing' } });
  await server.request(batchLoad, { body: { ids: ['ops/greet', 'x'.repeat(4000)] } });
  await server.request(loadArtifact, { query: { id: 'y'.repeat(4000) } });
  const lines = requestLines(server).slice(-4);
  expect(lines).toMatchObject([
    { endpoint: 'load_artifact', artifact: 'ops/greet', status: 200 },
    { endpoint: 'load_artifact', artifact: 'ops/missing', code: 'registry.not_found' },
    { endpoint: 'batch_load', artifacts: ['ops/greet', 'x'.repeat(512)] },
    { endpoint: 'load_artifact', artifact: 'y'.repeat(512) },
  ]);
});

test('the access log finds the artifact in every endpoint with an artifact id', () => {
  const rows = endpointGroups.flatMap(({ endpoints }) => endpoints);
  const described = rows.filter(({ query, body }) =>
    [query, body].some((schema) => schema !== undefined && namesArtifacts(schema)),
  );
  expect(described.map(({ name }) => name)).toContain('dependents');
  for (const row of described) expect(artifactReader(row), row.name).toBeDefined();
});

function namesArtifacts(schema: z.ZodType): boolean {
  const document = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return document.includes('"Artifact id.') || document.includes('ops/deploy/check');
}
