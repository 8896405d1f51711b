import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { toView } from '../view/resolve-view.ts';
import { CACHE_LIMITS, type EncodedResponse, type RegistryCaches } from '../caches.ts';
import { cacheResponse } from './response-cache.ts';

const AUDITED = {
  artifact: 'ops/a',
  version: '1.0.0',
  layer: 'base',
  name: 'a',
  tags: [],
  is_sensitive: false,
};

test('concurrent loads of one response cache it once', async () => {
  const { registry, addLayer, close } = await openMemoryRegistry();
  onTestFinished(close);
  await addLayer('base');
  const [layer] = toView(registry.store, await registry.store.layers.list(1)).layers;
  if (layer === undefined) throw new Error('no layer');
  let encoded = 0;
  const load = (id: string): Promise<EncodedResponse> =>
    cacheResponse(registry, 1, { layer, id, version: '1.0.0' }, async () => {
      encoded += 1;
      return {
        content_hash: '',
        version: '1.0.0',
        bytes: new Uint8Array(1024 * 1024),
        is_whole: true,
        expires_at: undefined,
        audited: AUDITED,
      };
    });
  await Promise.all(Array.from({ length: 100 }, () => load('ops/a')));
  encoded = 0;
  await load('ops/b');
  await load('ops/b');
  await load('ops/a');
  expect(encoded).toBe(1);
});

test('a cached response is reused while nine tenths of the lifetime of its URLs remain', async () => {
  const { registry, addLayer, close } = await openMemoryRegistry();
  onTestFinished(close);
  await addLayer('base');
  const [layer] = toView(registry.store, await registry.store.layers.list(1)).layers;
  if (layer === undefined) throw new Error('no layer');
  let now = 1_000_000;
  registry.now = () => new Date(now);
  let encoded = 0;
  const load = (): Promise<EncodedResponse> =>
    cacheResponse(registry, 1, { layer, id: 'ops/a', version: '1.0.0' }, async () => {
      encoded += 1;
      return {
        content_hash: '',
        version: '1.0.0',
        bytes: new Uint8Array(10),
        is_whole: false,
        expires_at: new Date(now + 300_000),
        audited: AUDITED,
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

test('a layer that was purged and registered again has none of its former responses', async () => {
  const { registry, addLayer, close } = await openMemoryRegistry();
  onTestFinished(close);
  await addLayer('base');
  const [former] = toView(registry.store, await registry.store.layers.list(1)).layers;
  if (former === undefined) throw new Error('no layer');
  const again = { ...former, created_at: '2027-01-01T00:00:00.000Z' };
  const load = async (layer: typeof former, text: string): Promise<string> => {
    const place = { layer, id: 'ops/a', version: '1.0.0' };
    const { bytes } = await cacheResponse(registry, 1, place, async () => ({
      content_hash: '',
      version: '1.0.0',
      bytes: Buffer.from(text),
      is_whole: true,
      expires_at: undefined,
      audited: AUDITED,
    }));
    return Buffer.from(bytes).toString();
  };
  expect(await load(former, 'before')).toBe('before');
  expect(await load(former, 'not encoded')).toBe('before');
  expect(await load(again, 'after')).toBe('after');
});

async function openCache(bytes: () => Uint8Array): Promise<{
  caches: RegistryCaches;
  load: (id: string) => Promise<EncodedResponse>;
}> {
  const { registry, addLayer, close } = await openMemoryRegistry();
  onTestFinished(close);
  await addLayer('base');
  const [layer] = toView(registry.store, await registry.store.layers.list(1)).layers;
  if (layer === undefined) throw new Error('no layer');
  const version = '1.0.0';
  return {
    caches: registry.caches,
    load: (id) =>
      cacheResponse(registry, 1, { layer, id, version }, async () => ({
        content_hash: '',
        version,
        bytes: bytes(),
        is_whole: true,
        expires_at: undefined,
        audited: AUDITED,
      })),
  };
}

test('the cache does not retain the pool of a small buffer', async () => {
  const { load } = await openCache(() => Buffer.from('an answer'));
  const { bytes } = await load('ops/a');
  expect(Buffer.from(bytes).toString()).toBe('an answer');
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});

test('the limit of the cache includes a compressed copy in each coding', async () => {
  const { caches, load } = await openCache(() => new Uint8Array(1024 * 1024));
  for (let index = 0; index < 64; index += 1) await load(`ops/a-${index}`);
  const kept = [...caches.answers.answers.values()];
  const withCopies = kept.reduce((sum, { ready }) => sum + 3 * ready.bytes.length, 0);
  expect(withCopies).toBeLessThanOrEqual(CACHE_LIMITS.answer_bytes);
  expect(withCopies).toBeGreaterThan(CACHE_LIMITS.answer_bytes / 2);
});
