import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { resolveView } from './resolve-view.ts';

test('resolveView caches a view until a layer of the tenant changes', async () => {
  const open = await openMemoryRegistry();
  onTestFinished(() => open.close());
  await open.addLayer('a');
  const first = await resolveView(open.registry, open.context);
  expect(await resolveView(open.registry, open.context)).toBe(first);
  await open.addLayer('b');
  const second = await resolveView(open.registry, open.context);
  expect(second.layers.map(({ id }) => id)).toEqual(['a', 'b']);
});

test('resolveView does not cache a view of layers from a lagging server', async () => {
  const open = await openMemoryRegistry();
  onTestFinished(() => open.close());
  await open.addLayer('a');
  const { store } = open.registry;
  const behind = { list: await store.layers.list(1), revision: await store.layers.revision(1) };
  await open.addLayer('b');
  // Simulates a primary that fails over to a standby after the read of the revision.
  const layers = {
    ...store.layers,
    revision: async () => behind.revision,
    list: async () => behind.list,
  };
  open.registry.store = { ...store, together: (_, work) => work({ ...store, layers }) };
  const stale = await resolveView(open.registry, open.context);
  expect(stale.layers.map(({ id }) => id)).toEqual(['a']);
  open.registry.store = store;
  const view = await resolveView(open.registry, open.context);
  expect(view.layers.map(({ id }) => id)).toEqual(['a', 'b']);
});
