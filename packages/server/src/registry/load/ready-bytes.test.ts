import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { toView } from '../view/resolve-view.ts';
import { keepReady, type ReadyBytes } from './ready-bytes.ts';

test('an answer many ask for at once takes its place once', async () => {
  const { registry, addLayer, close } = await openMemoryRegistry();
  onTestFinished(close);
  await addLayer('base');
  const [layer] = toView(await registry.store.layers.list(1)).layers;
  if (layer === undefined) throw new Error('no layer');
  let encoded = 0;
  const load = (id: string): Promise<ReadyBytes> =>
    keepReady(registry, 1, { layer, id, version: '1.0.0' }, async () => {
      encoded += 1;
      return {
        content_hash: '',
        version: '1.0.0',
        bytes: new Uint8Array(1024 * 1024),
        lasts: true,
      };
    });
  await Promise.all(Array.from({ length: 100 }, () => load('ops/a')));
  encoded = 0;
  await load('ops/b');
  await load('ops/b');
  await load('ops/a');
  expect(encoded).toBe(1);
});
