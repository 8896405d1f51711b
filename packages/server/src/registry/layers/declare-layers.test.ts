import { onTestFinished, describe, expect, test } from 'vitest';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { requestStartIngests } from '../ingest/request-start-ingests.ts';
import type { Registry } from '../registry.ts';
import { declareLayers, type LayerDeclaration } from './declare-layers.ts';
import { reorderLayers } from './reorder-layers.ts';
import { unregisterLayer } from './unregister-layer.ts';

async function open(): Promise<MemoryRegistry> {
  const memory = await openMemoryRegistry();
  onTestFinished(() => memory.close());
  return memory;
}

function local(id: string, more: Partial<LayerDeclaration> = {}): LayerDeclaration {
  return {
    id,
    source_type: 'local',
    repo: '',
    ref: '',
    root: '',
    local_path: `/srv/${id}`,
    git_provider: '',
    force_push_policy: '',
    visibility: undefined,
    ...more,
  };
}

async function idsOf({ store }: Registry): Promise<string[]> {
  const layers = await store.layers.list(ONLY_TENANT);
  return composeLayers(layers, { kind: 'open' }).map(({ id }) => id);
}

async function eventsOf({ store }: Registry, after = 0): Promise<string[]> {
  const events = await store.outbox.listAfter(ONLY_TENANT, after, 100);
  return events.map(({ body }) => `${body.event} ${JSON.stringify(body.data)}`);
}

async function newestEvent({ store }: Registry): Promise<number> {
  return (await store.outbox.bounds(ONLY_TENANT)).newest;
}

describe('layers of the configuration', () => {
  test('are created in their order, for the whole organization, and ingested', async () => {
    const { registry, runWaiting } = await open();
    const team = local('team', {
      visibility: { public: true, organization: false, groups: null, users: null },
    });
    await declareLayers(registry, ONLY_TENANT, [local('base'), team]);
    expect(await idsOf(registry)).toEqual(['base', 'team']);
    expect(await registry.store.layers.get(ONLY_TENANT, 'base')).toMatchObject({
      organization: true,
      public: false,
      user_defined: false,
      owner: '',
      webhook_secret: '',
    });
    expect(await registry.store.layers.get(ONLY_TENANT, 'team')).toMatchObject({
      organization: false,
      public: true,
    });
    expect(await runWaiting()).toEqual(['base', 'team']);
  });

  test('have the default visibility of the deployment, which later starts do not change', async () => {
    const { registry } = await open();
    const hiddenFromAll = { public: false, organization: false, groups: null, users: null };
    const visibleToAll = { ...hiddenFromAll, public: true };
    const team = local('team', { visibility: { ...hiddenFromAll, groups: ['ops'] } });
    await declareLayers(registry, ONLY_TENANT, [local('base'), team], hiddenFromAll);
    const layer = (id: string) => registry.store.layers.get(ONLY_TENANT, id);
    expect(await layer('base')).toMatchObject(hiddenFromAll);
    expect(await layer('team')).toMatchObject({ ...hiddenFromAll, groups: ['ops'] });
    await declareLayers(registry, ONLY_TENANT, [local('base'), team], visibleToAll);
    expect(await layer('base')).toMatchObject(hiddenFromAll);
  });

  test('with a git source get a secret and a webhook URL', async () => {
    const { registry } = await open();
    const repo = 'https://git.example.com/a.git';
    await declareLayers(registry, ONLY_TENANT, [
      local('a', { source_type: 'git', repo, local_path: '', force_push_policy: 'strict' }),
    ]);
    expect(await registry.store.layers.get(ONLY_TENANT, 'a')).toMatchObject({
      repo,
      force_push_policy: 'strict',
      webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      webhook_key: expect.stringMatching(/.{32}/),
    });
  });

  test('keep the order of a reorder after every restart', async () => {
    const { registry, context } = await open();
    const declared = [local('a'), local('b'), local('c')];
    await declareLayers(registry, ONLY_TENANT, declared);
    await reorderLayers(registry, context, { order: ['c', 'a', 'b'] });
    await declareLayers(registry, ONLY_TENANT, declared);
    expect(await idsOf(registry)).toEqual(['c', 'a', 'b']);
    await declareLayers(registry, ONLY_TENANT, [local('new'), ...declared]);
    expect(await idsOf(registry)).toEqual(['c', 'a', 'b', 'new']);
  });

  test('without changes cause neither a write nor an event', async () => {
    const { registry, runWaiting } = await open();
    await declareLayers(registry, ONLY_TENANT, [local('a')]);
    await runWaiting();
    const before = await newestEvent(registry);
    await declareLayers(registry, ONLY_TENANT, [local('a')]);
    expect(await eventsOf(registry, before)).toEqual([]);
    expect(await runWaiting()).toEqual([]);
  });

  test('follow changes of their source, keep undeclared fields, and are reingested completely', async () => {
    const { registry, context, runWaiting } = await open();
    await declareLayers(registry, ONLY_TENANT, [local('a')]);
    await runWaiting();
    const stored = await registry.store.layers.get(ONLY_TENANT, 'a');
    await registry.store.transaction(async (writes) => {
      if (stored !== undefined)
        await writes.layers.replace(context.tenant, { ...stored, public: true });
    });
    const before = await newestEvent(registry);
    await declareLayers(registry, ONLY_TENANT, [local('a', { local_path: '/srv/moved' })]);
    expect(await registry.store.layers.get(ONLY_TENANT, 'a')).toMatchObject({
      local_path: '/srv/moved',
      public: true,
      source_state: null,
    });
    expect(await eventsOf(registry, before)).toEqual([
      'layer.config_changed {"layer":"a","action":"update"}',
    ]);
    expect(await registry.store.jobs.list(ONLY_TENANT, 'a', 1)).toMatchObject([
      { state: 'queued', request: { full: true, trigger: 'start' } },
    ]);
  });

  test('are restored if they were unregistered and the file still names them', async () => {
    const { registry, context, ingest, runWaiting } = await open();
    await declareLayers(registry, ONLY_TENANT, [local('a')]);
    await runWaiting();
    await ingest('a', {
      packages: {
        'ops/x': {
          'ARTIFACT.md':
            '---\ntype: context\nversion: 1.0.0\ndescription: Something to know.\n---\n',
        },
      },
    });
    await unregisterLayer(registry, context, { id: 'a' });
    const { returned } = await declareLayers(registry, ONLY_TENANT, [local('a')]);
    expect(returned).toEqual([{ id: 'a', restored_versions: 1 }]);
    const layer = await registry.store.layers.get(ONLY_TENANT, 'a');
    expect(layer).toMatchObject({ deleted_at: null });
    // The former content stays withdrawn until the next ingest (SPEC-7).
    const heads = await registry.store.versions.listHeadIds(ONLY_TENANT, layer?.number ?? 0, '', 9);
    expect(heads).toEqual([]);
  });

  test('replace a personal layer with the same id, and do not keep its content', async () => {
    const { registry, addLayer } = await open();
    await addLayer('mine', { user_defined: true, owner: 'ann', users: ['ann'] });
    const hers = await registry.store.layers.get(ONLY_TENANT, 'mine');
    const after = await newestEvent(registry);
    const { replaced } = await declareLayers(registry, ONLY_TENANT, [local('mine')]);
    expect(replaced).toEqual([hers]);
    const layer = await registry.store.layers.get(ONLY_TENANT, 'mine');
    expect(layer).toMatchObject({ user_defined: false, owner: '', organization: true });
    expect(layer?.number).not.toBe(hers?.number);
    expect(await eventsOf(registry, after)).toEqual([
      'layer.user_registered {"layer":"mine","action":"unregister"}',
      'layer.config_changed {"layer":"mine","action":"register"}',
    ]);
    expect(await declareLayers(registry, ONLY_TENANT, [local('mine')])).toEqual({
      replaced: [],
      returned: [],
    });
  });
});

test('a startup queues every layer in order of precedence', async () => {
  const { registry, context, addLayer, runWaiting } = await open();
  await addLayer('a');
  await addLayer('b', { source_state: 'known' });
  await reorderLayers(registry, context, { order: ['b', 'a'] });
  await requestStartIngests(registry, ONLY_TENANT);
  const jobs = await registry.store.jobs.list(ONLY_TENANT, '', 9);
  expect(jobs.map(({ layer_id, request }) => [layer_id, request.full])).toEqual(
    expect.arrayContaining([
      ['a', true],
      ['b', false],
    ]),
  );
  expect(await runWaiting()).toEqual(['b', 'a']);
});
