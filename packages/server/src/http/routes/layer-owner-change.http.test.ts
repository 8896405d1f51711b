import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import {
  listIngests,
  listLayers,
  registerLayer,
  reingestLayer,
  restoreLayer,
  unregisterLayer,
} from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { getQuota } from '@catalog/contract/endpoints/access';
import { replacedLayerId } from '@catalog/core/layer/layer-holder';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startGitServer, type GitServer } from '@catalog/testkit/git-server';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = asCaller({ subject: 'root' });
const ANN = asCaller({ subject: 'ann' });
const BOB = asCaller({ subject: 'bob' });

let server: RegistryServer;
let host: GitServer;
let folder: string;
let count = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-test-'));
  host = await startGitServer(folder);
  server = await startRegistry({
    keep: true,
    settings: {
      ...TRUSTED_HEADERS,
      bootstrap_admins: ['root'],
      max_user_layers: -1,
      'egress.allowed_hosts': [host.host],
    },
  });
});
afterAll(async () => {
  await server.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

function rule(body: string, more = ''): string {
  return `---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n${more}---\n${body}\n`;
}

function repository(files: Record<string, string>): string {
  count += 1;
  const added = host.addRepository(`r${count}.git`);
  added.commit(files);
  return added.url;
}

interface Registration {
  id: string;
  repo: string;
  organization?: boolean;
}

async function register(who: object, body: Registration): Promise<void> {
  await server.as({ ...who }).call(registerLayer, { body: { source_type: 'git', ...body } });
}

async function publish(who: object, body: Registration): Promise<void> {
  await register(who, body);
  await server.as({ ...who }).call(reingestLayer, { query: { id: body.id } });
}

function load(who: object, id: string, version = '') {
  const query = version === '' ? { id } : { id, version };
  return server.request(loadArtifact, { headers: { ...who }, query });
}

function fresh(): { id: string; artifact: string; file: string } {
  count += 1;
  const artifact = `d${count}/greet`;
  return { id: `docs-${count}`, artifact, file: `${artifact}/ARTIFACT.md` };
}

const unreachableRepo = (): string => `http://${host.host}:${host.port}/gone.git`;

describe('personal layer id that an administrator takes over', () => {
  test('serves no former content while the new source is unreachable', async () => {
    const { id, artifact, file } = fresh();
    await publish(ANN, { id, repo: repository({ [file]: rule('From Ann.') }) });
    expect((await load(ANN, artifact)).status).toBe(200);
    const before = await server.registry.store.layers.get(ONLY_TENANT, id);
    await register(ROOT, { id, repo: unreachableRepo(), organization: true });
    for (const who of [ANN, BOB, ROOT]) {
      expect((await load(who, artifact)).status).toBe(404);
      expect((await load(who, artifact, '1.0.0')).status).toBe(404);
    }
    const found = await server
      .as(BOB)
      .call(searchArtifacts, { query: { query: 'visitor', scope: artifact.split('/')[0] ?? '' } });
    expect(found.results).toEqual([]);
    const after = await server.registry.store.layers.get(ONLY_TENANT, id);
    expect(after?.number).not.toBe(before?.number);
    expect(after?.webhook_key).not.toBe(before?.webhook_key);
  });

  test('publishes its own content under the versions of the former layer', async () => {
    const { id, artifact, file } = fresh();
    await publish(ANN, { id, repo: repository({ [file]: rule('From Ann.') }) });
    const official = repository({ [file]: rule('From the organization.') });
    await publish(ROOT, { id, repo: official, organization: true });
    const { status, body } = await load(BOB, artifact, '1.0.0');
    expect([status, JSON.stringify(body)]).toEqual([
      200,
      expect.stringContaining('From the organization.'),
    ]);
  });

  test('merges an unchanged child again with its current parent', async () => {
    const { id, artifact, file } = fresh();
    const parent = `${artifact}-base`;
    const child = rule('', `extends: ${parent}\n`);
    const annsRepo = repository({ [`${parent}/ARTIFACT.md`]: rule('From Ann.') });
    await publish(ANN, { id: `${id}-base`, repo: annsRepo });
    await publish(ANN, { id, repo: repository({ [file]: child }) });
    expect(JSON.stringify((await load(ANN, artifact)).body)).toContain('From Ann.');
    await server.as(ANN).call(unregisterLayer, { query: { id: `${id}-base` } });
    const ours = repository({ [`${parent}/ARTIFACT.md`]: rule('From the organization.') });
    await publish(ROOT, { id: `${id}-official`, repo: ours, organization: true });
    await publish(ROOT, { id, repo: repository({ [file]: child }), organization: true });
    const { body } = await load(BOB, artifact);
    expect(JSON.stringify(body)).toContain('From the organization.');
    expect(JSON.stringify(body)).not.toContain('From Ann.');
  });

  test('serves no content of an unregistered layer', async () => {
    const { id, artifact, file } = fresh();
    await publish(ANN, { id, repo: repository({ [file]: rule('From Ann.') }) });
    await server.as(ANN).call(unregisterLayer, { query: { id } });
    await register(ROOT, { id, repo: unreachableRepo(), organization: true });
    expect((await load(BOB, artifact, '1.0.0')).status).toBe(404);
  });

  test('leaves no former layer to restore, list or count', async () => {
    const { id, artifact, file } = fresh();
    const counted = async (): Promise<number> =>
      (await server.as(ROOT).call(getQuota)).usage.artifact_count;
    const none = await counted();
    await publish(ANN, { id, repo: repository({ [file]: rule('From Ann.') }) });
    const former = await server.registry.store.layers.get(ONLY_TENANT, id);
    await register(ROOT, { id, repo: unreachableRepo(), organization: true });
    expect(await counted()).toBe(none);
    for (const who of [ANN, ROOT]) {
      const { layers } = await server.as(who).call(listLayers, { query: { deleted: 'true' } });
      expect(layers.map((layer) => layer.id)).not.toContain(expect.stringContaining(id));
      const query = { id: replacedLayerId({ id, number: former?.number ?? 0 }) };
      const restored = await server.request(restoreLayer, { headers: { ...who }, query });
      expect(restored.status).toBe(who === ROOT ? 404 : 403);
      const ingests = await server.request(listIngests, { headers: { ...who }, query });
      expect(ingests.status).toBe(404);
    }
    expect((await load(ANN, artifact, '1.0.0')).status).toBe(404);
  });

  test('emits an event for each of the two layers', async () => {
    const { id, file } = fresh();
    const { store } = server.registry;
    await publish(ANN, { id, repo: repository({ [file]: rule('From Ann.') }) });
    const { newest } = await store.outbox.bounds(ONLY_TENANT);
    await register(ROOT, { id, repo: unreachableRepo(), organization: true });
    const events = await store.outbox.listAfter(ONLY_TENANT, newest, 9);
    const emitted = events.map(({ body }) => [body.event, body.data]);
    expect(emitted).toEqual(
      expect.arrayContaining([
        ['layer.user_registered', { layer: id, action: 'unregister' }],
        ['layer.config_changed', { layer: id, action: 'register' }],
      ]),
    );
  });
});

test('an id that its owner registers again keeps its number and its versions', async () => {
  const { id, artifact, file } = fresh();
  await publish(ANN, { id, repo: repository({ [file]: rule('First.') }) });
  const before = await server.registry.store.layers.get(ONLY_TENANT, id);
  await publish(ANN, { id, repo: repository({ [file]: rule('First.') }) });
  const after = await server.registry.store.layers.get(ONLY_TENANT, id);
  expect(after?.number).toBe(before?.number);
  expect((await load(ANN, artifact, '1.0.0')).status).toBe(200);
});

test("an organization's id that an administrator makes personal starts empty", async () => {
  const { id, artifact, file } = fresh();
  const repo = repository({ [file]: rule('For all.') });
  await publish(ROOT, { id, repo, organization: true });
  await register(ROOT, { id, repo: unreachableRepo() });
  expect((await load(ROOT, artifact, '1.0.0')).status).toBe(404);
});
