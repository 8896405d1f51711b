import { sampleTenant } from '@catalog/core/conformance/samples.conformance';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { LayerSource } from '@catalog/core/ports/layer-source';
import { UnresponsiveHost } from '@catalog/core/ports/unresponsive-host';
import { newLayer } from '@catalog/testkit/layer-record';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { compareTenants } from './compare-tenants.ts';

const NEWS = 'b'.repeat(40);
const { signal } = new AbortController();

type Probe = (...parameters: Parameters<LayerSource['probe']>) => Promise<string | undefined>;

async function open(probe: Probe) {
  const memory = await openMemoryRegistry();
  onTestFinished(() => memory.close());
  const { store } = memory.registry;
  const probed: string[] = [];
  const source: LayerSource = {
    ...memory.registry.sources.git,
    probe: async (tenant, layer, within) => {
      probed.push(layer.id);
      return probe(tenant, layer, within);
    },
  };
  const registry = { ...memory.registry, sources: { ...memory.registry.sources, git: source } };
  const warned: string[] = [];
  const options = {
    onUnresponsive: (layer: string) => void warned.push(layer),
    signal,
  };
  return {
    probed,
    warned,
    add: (tenant: number, id: string, host: string, more: Partial<LayerRecord> = {}) =>
      store.transaction(({ layers }) =>
        layers.create(
          tenant,
          newLayer({
            id,
            source_type: 'git',
            repo: `https://${host}/${id}.git`,
            source_state: 'read',
            last_ingested_ref: 'a'.repeat(40),
            ...more,
          }),
        ),
      ),
    addTenant: (name: string) =>
      store.transaction(({ tenants }) => tenants.create(sampleTenant(name))),
    compare: (tenants: readonly number[], trigger: 'start' | 'poll' = 'poll') =>
      compareTenants(registry, { ...options, tenants, trigger }),
    jobs: async (tenant: number) => {
      const jobs = await store.jobs.list(tenant, '', 100);
      return Object.fromEntries(
        jobs.map(({ layer_id, state, error }) => [layer_id, error?.message ?? state]),
      );
    },
    audited: async (tenant: number) => (await store.audit.list(tenant, 0, 100)).length,
  };
}

function dead(layer: string): UnresponsiveHost {
  return new UnresponsiveHost(layer, 'its git host did not respond', 'Try again.', undefined);
}

test('an unresponsive host fails all of its layers immediately and queues no ingest', async () => {
  const registry = await open(async (_tenant, { id, repo }) => {
    if (repo.includes('dead.example')) throw dead(id);
    return NEWS;
  });
  const ids = Array.from({ length: 20 }, (_, at) => `dead${at}`);
  for (const id of ids) await registry.add(1, id, 'dead.example');
  await registry.add(1, 'live', 'live.example');
  await registry.compare([1]);
  const jobs = await registry.jobs(1);
  expect(jobs).toEqual({
    ...Object.fromEntries(ids.map((id) => [id, `Layer ${id}: its git host did not respond.`])),
    live: 'queued',
  });
  // Two comparisons may start before the first one has failed.
  expect(registry.probed.length).toBeLessThanOrEqual(3);
  expect(registry.warned).toEqual([registry.probed[0]]);
  expect(await registry.audited(1)).toBe(0);
});

test('an unresponsive host reported for one owner does not affect other owners and tenants', async () => {
  const registry = await open(async (_tenant, { id }) => {
    if (id.startsWith('slow')) throw dead(id);
    return NEWS;
  });
  await registry.addTenant('other');
  const ann = { user_defined: true, owner: 'ann' };
  await registry.add(1, 'slow', 'git.example', ann);
  await registry.add(1, 'slow2', 'git.example', ann);
  await registry.add(1, 'bobs', 'git.example', { user_defined: true, owner: 'bob' });
  await registry.add(1, 'team', 'git.example');
  await registry.add(2, 'elsewhere', 'git.example');
  await registry.compare([1, 2]);
  expect(await registry.jobs(1)).toMatchObject({ bobs: 'queued', team: 'queued' });
  expect(await registry.jobs(2)).toEqual({ elsewhere: 'queued' });
});

test('a tenant with hanging hosts does not block the comparison of another tenant', async () => {
  const { promise: over, resolve: giveUp } = Promise.withResolvers<void>();
  const { promise: compared, resolve: isCompared } = Promise.withResolvers<void>();
  const registry = await open(async (_tenant, { id }) => {
    if (id === 'live') {
      isCompared();
      return NEWS;
    }
    await over;
    throw dead(id);
  });
  await registry.addTenant('other');
  await registry.add(1, 'hangs', 'a.example');
  await registry.add(1, 'hangs2', 'b.example');
  await registry.add(2, 'live', 'live.example');
  const comparing = registry.compare([1, 2]);
  await compared;
  giveUp();
  await comparing;
  expect(await registry.jobs(2)).toEqual({ live: 'queued' });
});

test('a poll also compares layers that were never ingested; a start has queued them', async () => {
  const registry = await open(async (_tenant, { id }) => {
    if (id === 'dead') throw dead(id);
    return NEWS;
  });
  const unread = { source_state: null, last_ingested_ref: null };
  await registry.add(1, 'dead', 'dead.example', unread);
  await registry.add(1, 'unread', 'live.example', unread);
  await registry.add(1, 'half', 'live.example', { source_state: null, last_ingested_ref: NEWS });
  await registry.compare([1], 'start');
  expect(registry.probed).toEqual([]);
  await registry.compare([1]);
  expect(await registry.jobs(1)).toEqual({
    dead: 'Layer dead: its git host did not respond.',
    unread: 'queued',
    half: 'queued',
  });
});

test('an ingest reports every problem other than an unresponsive host', async () => {
  const registry = await open(async () => {
    throw new Error('fatal: Authentication failed');
  });
  await registry.add(1, 'private', 'git.example');
  await registry.add(1, 'private2', 'git.example');
  await registry.compare([1]);
  expect(await registry.jobs(1)).toEqual({ private: 'queued', private2: 'queued' });
});
