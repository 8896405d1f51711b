import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import {
  listIngests,
  registerLayer,
  unregisterLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { followEvents } from '@catalog/testkit/follow-events';
import { startGitServer } from '@catalog/testkit/git-server';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../config/settings.ts';

function rule(version: string): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n---\nWave.\n`;
}

async function served(server: RegistryServer): Promise<string[]> {
  const { artifacts } = await server.call(syncManifestEndpoint);
  return artifacts.map(({ id, version }) => `${id}@${version}`);
}

async function servedSoon(server: RegistryServer, wanted: string[]): Promise<void> {
  let last: string[] = [];
  for (let tries = 0; tries < 500; tries += 1) {
    last = await served(server);
    if (JSON.stringify(last) === JSON.stringify(wanted)) return;
    await delay(20);
  }
  expect(last).toEqual(wanted);
}

async function triggersOf(server: RegistryServer, id: string): Promise<string[]> {
  const { ingests } = await server.call(listIngests, { query: { id } });
  return ingests.map(({ trigger }) => trigger);
}

describe('folder of a local layer', () => {
  test('is ingested automatically after an edit', async () => {
    const server = await startRegistry({
      layers: { base: { 'ops/a/ARTIFACT.md': rule('1.0.0') } },
    });
    const root = `${server.folder}/layers/base`;
    writeFileSync(`${root}/ops/a/ARTIFACT.md`, rule('1.1.0'));
    await servedSoon(server, ['ops/a@1.1.0']);
    writeTree(root, { 'new/deep/b/ARTIFACT.md': rule('1.0.0') });
    await servedSoon(server, ['new/deep/b@1.0.0', 'ops/a@1.1.0']);
    rmSync(`${root}/ops`, { recursive: true });
    await servedSoon(server, ['new/deep/b@1.0.0']);
    expect(await triggersOf(server, 'base')).toContain('files');
  });

  test('is watched at its new path after an update and ignored after unregistration', async () => {
    const server = await startRegistry({ layers: { base: { 'a/ARTIFACT.md': rule('1.0.0') } } });
    const other = temporaryFolder();
    writeTree(other, { 'b/ARTIFACT.md': rule('1.0.0') });
    await server.call(updateLayer, { query: { id: 'base' }, body: { local_path: other } });
    await servedSoon(server, ['b@1.0.0']);
    writeFileSync(`${other}/b/ARTIFACT.md`, rule('1.1.0'));
    await servedSoon(server, ['b@1.1.0']);
    await server.call(unregisterLayer, { query: { id: 'base' } });
    const before = await server.registry.store.jobs.list(1, 'base', 100);
    // A second layer with the same folder shows when the edit was noticed.
    const body = { id: 'witness', source_type: 'local', local_path: other };
    await server.call(registerLayer, { body });
    await servedSoon(server, ['b@1.1.0']);
    writeFileSync(`${other}/b/ARTIFACT.md`, rule('1.2.0'));
    await servedSoon(server, ['b@1.2.0']);
    expect(await server.registry.store.jobs.list(1, 'base', 100)).toHaveLength(before.length);
  });

  test('does not trigger an ingest of a new layer with the same id', async () => {
    const server = await startRegistry({ layers: { base: { 'a/ARTIFACT.md': rule('1.0.0') } } });
    const { store } = server.registry;
    // From here on, this process does not learn that the layer was removed.
    store.tenants.listWatched = async () => {
      throw new Error('not now');
    };
    await store.transaction(async ({ layers }) => {
      const layer = await layers.get(1, 'base');
      if (layer === undefined) throw new Error('no layer');
      await layers.replace(1, { ...layer, deleted_at: '2020-01-01T00:00:00.000Z' });
    });
    const body = { id: 'base', source_type: 'local', local_path: temporaryFolder() };
    await server.call(registerLayer, { body });
    await waitFor(async () => (await store.jobs.list(1, 'base', 1))[0]?.state === 'done');
    const looked = Promise.withResolvers<void>();
    const transaction = store.transaction.bind(store);
    store.transaction = async (work) => {
      let isLooked = false;
      const result = await transaction((writes) => {
        const get: typeof writes.layers.get = (tenant, id) => {
          isLooked ||= id === 'base';
          return writes.layers.get(tenant, id);
        };
        return work({ ...writes, layers: { ...writes.layers, get } });
      });
      if (isLooked) looked.resolve();
      return result;
    };
    writeFileSync(`${server.folder}/layers/base/a/ARTIFACT.md`, rule('1.1.0'));
    await looked.promise;
    expect(await triggersOf(server, 'base')).toEqual(['register']);
  });

  test('is ingested after an edit that could not be queued at first', async () => {
    const server = await startRegistry({ layers: { base: { 'a/ARTIFACT.md': rule('1.0.0') } } });
    const { store } = server.registry;
    const transaction = store.transaction.bind(store);
    let failures = 0;
    store.transaction = (work) =>
      transaction((writes) => {
        const enqueue: typeof writes.jobs.enqueue = (tenant, job) => {
          if (job.request.trigger !== 'files' || failures === 2) {
            return writes.jobs.enqueue(tenant, job);
          }
          failures += 1;
          throw new CatalogError('registry.unavailable', 'The database is unreachable.');
        };
        return work({ ...writes, jobs: { ...writes.jobs, enqueue } });
      });
    writeFileSync(`${server.folder}/layers/base/a/ARTIFACT.md`, rule('1.1.0'));
    await servedSoon(server, ['a@1.1.0']);
    expect(failures).toBe(2);
    const logged = server.log.filter((line) => line.includes('failed to ingest an edit'));
    expect(logged).toHaveLength(1);
  });

  test('is polled if it cannot be watched, and ingested when it reappears', async () => {
    const root = temporaryFolder();
    const server = await startRegistry();
    const body = { id: 'base', source_type: 'local', local_path: `${root}/layer` };
    await server.call(registerLayer, { body });
    await waitFor(async () => server.log.some((line) => line.includes('polling a directory')));
    mkdirSync(`${root}/elsewhere`);
    writeTree(`${root}/elsewhere`, { 'a/ARTIFACT.md': rule('1.0.0') });
    renameSync(`${root}/elsewhere`, `${root}/layer`);
    await servedSoon(server, ['a@1.0.0']);
  });

  test('produces no events for an edit without an effect', async () => {
    const server = await startRegistry({ layers: { base: { 'a/ARTIFACT.md': rule('1.0.0') } } });
    const follower = await followEvents(server);
    writeFileSync(`${server.folder}/layers/base/README.md`, 'not part of the layer');
    await waitFor(async () => (await triggersOf(server, 'base'))[0] === 'files');
    writeFileSync(`${server.folder}/layers/base/a/ARTIFACT.md`, rule('1.1.0'));
    expect(await follower.next()).toMatchObject({ event: 'artifact.published' });
  });
});

test('git layers are polled at the configured interval to find lost deliveries', async () => {
  const host = await startGitServer(temporaryFolder());
  onTestFinished(() => host.close());
  const repository = host.addRepository('skills.git');
  repository.commit({ 'a/ARTIFACT.md': rule('1.0.0') });
  const server = await startRegistry({
    settings: { 'egress.allowed_hosts': ['127.0.0.1'], layer_poll_interval: 0.2 },
  });
  const body = { id: 'skills', source_type: 'git', repo: repository.url };
  await server.call(registerLayer, { body });
  await servedSoon(server, ['a@1.0.0']);
  const follower = await followEvents(server, '?type=layer.ingested');
  const { jobs } = server.registry.store;
  await waitFor(async () => {
    const { queued, running } = await jobs.depth();
    return queued + running === 0;
  });
  const [before, requests] = [await triggersOf(server, 'skills'), host.requests.length];
  await waitFor(async () => host.requests.length > requests + 3);
  expect(await triggersOf(server, 'skills')).toEqual(before);
  const commit = repository.commit({ 'a/ARTIFACT.md': rule('1.1.0') });
  await servedSoon(server, ['a@1.1.0']);
  expect(await follower.next()).toMatchObject({ data: { reference: commit, accepted: 1 } });
});

test('a start ingests only the changed git layers and records nothing for the others', async () => {
  const host = await startGitServer(temporaryFolder());
  onTestFinished(() => host.close());
  const { dsn } = await temporaryDatabase();
  const settings = {
    'egress.allowed_hosts': ['127.0.0.1'],
    'store.type': 'postgres',
    'store.dsn': dsn,
    'store.pool_size': 4,
  } satisfies Partial<Settings>;
  const ids = ['a', 'b', 'c'];
  const repositories = ids.map((id) => host.addRepository(`${id}.git`));
  const first = await startRegistry({ settings, keep: true });
  for (const [at, repository] of repositories.entries()) {
    const id = ids[at] ?? '';
    repository.commit({ [`${id}/ARTIFACT.md`]: rule('1.0.0') });
    await first.call(registerLayer, { body: { id, source_type: 'git', repo: repository.url } });
  }
  await servedSoon(first, ['a@1.0.0', 'b@1.0.0', 'c@1.0.0']);
  await waitFor(async () => (await first.registry.store.jobs.depth()).running === 0);
  const records = (await first.registry.store.audit.list(1, 0, 1000)).length;
  await first.close();

  repositories[1]?.commit({ 'b/ARTIFACT.md': rule('1.1.0') });
  host.requests.length = 0;
  const second = await startRegistry({ settings: { ...settings, 'log.level': 'debug' } });
  await servedSoon(second, ['a@1.0.0', 'b@1.1.0', 'c@1.0.0']);
  await waitFor(async () => second.log.some((line) => line.includes('compared git layers')));
  for (const id of ids) expect(host.requests.join()).toContain(`/${id}.`);
  expect(await triggersOf(second, 'a')).toEqual(['register']);
  expect(await triggersOf(second, 'b')).toEqual(['start', 'register']);
  expect(await triggersOf(second, 'c')).toEqual(['register']);
  const added = (await second.registry.store.audit.list(1, 0, 1000)).slice(records);
  expect(added.map(({ record }) => [record.type, record['target']])).toEqual([
    ['layer.ingested', 'b'],
  ]);
});

test('a start that reads an unchanged directory leaves no audit record and no event', async () => {
  const root = temporaryFolder();
  writeTree(root, { 'a/ARTIFACT.md': rule('1.0.0') });
  const { dsn } = await temporaryDatabase();
  const settings = {
    'store.type': 'postgres',
    'store.dsn': dsn,
    'store.pool_size': 4,
  } satisfies Partial<Settings>;
  const first = await startRegistry({ settings, keep: true });
  await first.call(registerLayer, { body: { id: 'base', source_type: 'local', local_path: root } });
  await servedSoon(first, ['a@1.0.0']);
  await waitFor(async () => (await first.registry.store.jobs.depth()).running === 0);
  const known = async ({ registry: { store } }: RegistryServer): Promise<unknown> => [
    await store.audit.list(1, 0, 1000),
    await store.outbox.bounds(1),
  ];
  const before = await known(first);
  await first.close();

  const second = await startRegistry({ settings });
  await waitFor(async () => {
    const { ingests } = await second.call(listIngests, { query: { id: 'base' } });
    return ingests[0]?.trigger === 'start' && ingests[0].state === 'done';
  });
  expect(await known(second)).toEqual(before);
});

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await isTrue()) return;
    await delay(20);
  }
  throw new Error('it never became true');
}
