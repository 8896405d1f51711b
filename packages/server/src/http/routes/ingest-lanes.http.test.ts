import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getQuota } from '@catalog/contract/endpoints/access';
import {
  getIngest,
  listIngests,
  registerLayer,
  reingestLayer,
  unregisterLayer,
} from '@catalog/contract/endpoints/layers';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startGitServer, type GitServer } from '@catalog/testkit/git-server';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { Settings } from '@catalog/server/config/settings';
import { describe, expect, onTestFinished, test } from 'vitest';
import { removeCopies } from '../../jobs/remove-copies.ts';

const ROOT = asCaller({ subject: 'root' });
const ANN = asCaller({ subject: 'ann' });
const BOB = asCaller({ subject: 'bob' });
const PROMPTLY = { timeout: 15_000 };

interface Place {
  server: RegistryServer;
  host: GitServer;
  open: () => number;
  copies: () => string[];
}

async function openPlace(settings: Partial<Settings> = {}): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-test-'));
  let open = 0;
  const host = await startGitServer(join(folder, 'served'), {
    intercept: (request, response) => {
      if (request.url?.startsWith('/slow') !== true) return false;
      open += 1;
      response.on('close', () => (open -= 1));
      return true;
    },
  });
  const server = await startRegistry({
    settings: {
      ...TRUSTED_HEADERS,
      bootstrap_admins: ['root'],
      max_user_layers: -1,
      'egress.allowed_hosts': [host.host],
      'git.folder': join(folder, 'copies'),
      ...settings,
    },
  });
  onTestFinished(async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const copies = (): string[] => {
    try {
      return readdirSync(join(folder, 'copies', '1'));
    } catch {
      return [];
    }
  };
  return { server, host, open: () => open, copies };
}

async function registerSlow({ server, host }: Place, who: object, id: string, more: object = {}) {
  const repo = `http://${host.host}:${host.port}/slow-${id}.git`;
  const body = { id, source_type: 'git' as const, repo, ...more };
  await server.as({ ...who }).call(registerLayer, { body });
}

async function registerQuick({ server, host }: Place, who: object, id: string, more: object = {}) {
  const repository = host.addRepository(`${id}.git`);
  repository.commit({
    [`${id}/greet/ARTIFACT.md`]: `---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n`,
  });
  const body = { id, source_type: 'git' as const, repo: repository.url, ...more };
  await server.as({ ...who }).call(registerLayer, { body });
}

async function ingestsOf({ server }: Place, id: string) {
  return (await server.as(ROOT).call(listIngests, { query: { id } })).ingests;
}

const statesOf = async (place: Place, id: string): Promise<string[]> =>
  (await ingestsOf(place, id)).map(({ state }) => state);

describe('personal layers on a slow host', () => {
  test('do not delay layers of the organization or of other owners', async () => {
    const place = await openPlace();
    for (const id of ['a', 'b', 'c', 'd', 'e']) await registerSlow(place, ANN, id);
    await expect.poll(place.open, PROMPTLY).toBe(1);
    await registerQuick(place, ROOT, 'docs', { organization: true });
    await registerQuick(place, BOB, 'bobs');
    await expect.poll(() => statesOf(place, 'docs'), PROMPTLY).toEqual(['done']);
    await expect.poll(() => statesOf(place, 'bobs'), PROMPTLY).toEqual(['done']);
    expect(place.open()).toBe(1);
  });

  test('of many owners leave a lane to the organization', async () => {
    const place = await openPlace();
    for (const subject of ['ann', 'bob', 'cleo', 'dan', 'eve']) {
      await registerSlow(place, asCaller({ subject }), `of-${subject}`);
    }
    await expect.poll(place.open, PROMPTLY).toBe(3);
    await registerQuick(place, ROOT, 'docs', { organization: true });
    await expect.poll(() => statesOf(place, 'docs'), PROMPTLY).toEqual(['done']);
    expect(place.open()).toBe(3);
  });

  test('stop when the layer is unregistered, and free the lane', async () => {
    const place = await openPlace();
    await registerSlow(place, ANN, 'slow');
    await registerQuick(place, ANN, 'quick');
    await expect.poll(place.open, PROMPTLY).toBe(1);
    expect(await statesOf(place, 'quick')).toEqual(['queued']);
    await place.server.as(ANN).call(unregisterLayer, { query: { id: 'slow' } });
    await expect.poll(place.open, PROMPTLY).toBe(0);
    await expect.poll(() => statesOf(place, 'quick'), PROMPTLY).toEqual(['done']);
    const [ended] = await ingestsOf(place, 'slow');
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'registry.not_found' } });
  });

  test('have a separate timeout', async () => {
    const place = await openPlace({ 'ingest.personal_timeout': 1 });
    await registerSlow(place, ROOT, 'docs', { organization: true });
    await registerSlow(place, ANN, 'slow');
    await expect.poll(() => statesOf(place, 'slow'), PROMPTLY).toEqual(['failed']);
    const [ended] = await ingestsOf(place, 'slow');
    expect(ended?.error).toMatchObject({
      code: 'ingest.source_unreachable',
      suggested_action: expect.stringContaining('ingest.personal_timeout'),
    });
    expect(await statesOf(place, 'docs')).toEqual(['running']);
  });
});

test('repeated registering and unregistering leaves nothing in the queue', async () => {
  const place = await openPlace();
  await registerSlow(place, ANN, 'first');
  await expect.poll(place.open, PROMPTLY).toBe(1);
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await registerSlow(place, ANN, id);
    await place.server.as(ANN).call(unregisterLayer, { query: { id } });
  }
  const { queued } = await place.server.registry.store.jobs.depth();
  expect(queued).toBe(0);
});

describe('copy of a git repository', () => {
  const usage = async ({ server }: Place): Promise<number> =>
    (await server.as(ROOT).call(getQuota)).usage.storage_bytes;

  test('counts as storage until its layer is unregistered, and is then removed', async () => {
    const place = await openPlace();
    await registerQuick(place, ROOT, 'kept', { organization: true });
    await expect.poll(() => statesOf(place, 'kept'), PROMPTLY).toEqual(['done']);
    const before = await usage(place);
    await registerQuick(place, ANN, 'gone');
    await expect.poll(() => statesOf(place, 'gone'), PROMPTLY).toEqual(['done']);
    expect(place.copies()).toHaveLength(2);
    const versions = await versionBytes(place, 'gone');
    expect(await usage(place)).toBeGreaterThan(before + versions);
    await place.server.as(ANN).call(unregisterLayer, { query: { id: 'gone' } });
    expect(await usage(place)).toBe(before + versions);
    await removeCopies(place.server.registry, new AbortController().signal);
    expect(place.copies()).toHaveLength(1);
    const { job } = await place.server.as(ROOT).call(reingestLayer, { query: { id: 'kept' } });
    expect(await place.server.as(ROOT).call(getIngest, { params: { job } })).toMatchObject({
      state: 'done',
    });
  });

  test('above the storage quota is removed, and its ingest fails', async () => {
    const place = await openPlace({ 'quota.storage_bytes': 200 });
    await registerQuick(place, ANN, 'large');
    await expect.poll(() => statesOf(place, 'large'), PROMPTLY).toEqual(['failed']);
    const [ended] = await ingestsOf(place, 'large');
    expect(ended?.error).toMatchObject({ code: 'quota.storage_exceeded', details: { limit: 200 } });
    expect(place.copies()).toEqual([]);
    expect(await usage(place)).toBe(0);
  });
});

async function versionBytes({ server }: Place, id: string): Promise<number> {
  const { store } = server.registry;
  const layer = await store.layers.get(1, id);
  const heads = await store.versions.listHeadIds(1, layer?.number ?? 0, '', 9);
  let bytes = 0;
  for (const head of heads) {
    const version = await store.versions.get(1, layer?.number ?? 0, head.id, head.version);
    bytes += Buffer.byteLength(`${version?.manifest ?? ''}${version?.skill ?? ''}`);
  }
  return bytes;
}
