import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { toView } from '../view/resolve-view.ts';
import type { ReadyBytes } from '../caches.ts';
import { keepReady } from './ready-bytes.ts';

test('an answer many ask for at once takes its place once', async () => {
  const { registry, addLayer, close } = await openMemoryRegistry();
  onTestFinished(close);
  await addLayer('base');
  const [layer] = toView(registry.store, await registry.store.layers.list(1)).layers;
  if (layer === undefined) throw new Error('no layer');
  let encoded = 0;
  const load = (id: string): Promise<ReadyBytes> =>
    keepReady(registry, 1, { layer, id, version: '1.0.0' }, async () => {
      encoded += 1;
      return {
        content_hash: '',
        version: '1.0.0',
        bytes: new Uint8Array(1024 * 1024),
        is_whole: true,
        expires_at: undefined,
      };
    });
  await Promise.all(Array.from({ length: 100 }, () => load('ops/a')));
  encoded = 0;
  await load('ops/b');
  await load('ops/b');
  await load('ops/a');
  expect(encoded).toBe(1);
});

test('an answer is handed out again while nine tenths of its addresses lie ahead', async () => {
  const { registry, addLayer, close } = await openMemoryRegistry();
  onTestFinished(close);
  await addLayer('base');
  const [layer] = toView(registry.store, await registry.store.layers.list(1)).layers;
  if (layer === undefined) throw new Error('no layer');
  let now = 1_000_000;
  registry.now = () => new Date(now);
  let encoded = 0;
  const load = (): Promise<ReadyBytes> =>
    keepReady(registry, 1, { layer, id: 'ops/a', version: '1.0.0' }, async () => {
      encoded += 1;
      return {
        content_hash: '',
        version: '1.0.0',
        bytes: new Uint8Array(10),
        is_whole: false,
        expires_at: new Date(now + 300_000),
      };
    });
  const handedOut: number[] = [];
  for (let step = 0; step < 100; step += 1) {
    const { expires_at } = await load();
    handedOut.push(Number(expires_at) - now);
    now += 7_000;
  }
  expect(Math.min(...handedOut)).toBeGreaterThanOrEqual(270_000);
  expect(encoded).toBe(20);
});
