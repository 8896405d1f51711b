import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Embedder } from '@catalog/core/ports/embedder';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import type { Registry } from '../registry.ts';
import { embedAllWaiting, type EmbeddedAll } from './embed-all-waiting.ts';

const MODEL = { name: 'test/parallel/t1', dimensions: 2 };
const NOW = '2026-01-02T03:04:05.000Z';

interface Waiting {
  registry: Registry;
  embedder: Embedder;
  texts: string[];
  running: { now: number; most: number };
  reported: number[];
  embedAll: () => Promise<EmbeddedAll>;
}

async function openWaiting(count: number): Promise<Waiting> {
  const { registry: opened, addLayer, ingest, close } = await openMemoryRegistry();
  onTestFinished(close);
  const { store } = opened;
  await store.vectors.addModel(MODEL);
  await store.embeddings.addModel({ ...MODEL, external: false, now: NOW });
  await addLayer('one');
  const packages = Array.from({ length: count }, (_, at) => [
    `x/rule-${at}`,
    { 'ARTIFACT.md': ruleOf(at) },
  ]);
  await ingest('one', { packages: Object.fromEntries(packages) });
  const texts: string[] = [];
  const running = { now: 0, most: 0 };
  const reported: number[] = [];
  const embedder: Embedder = {
    model: MODEL,
    floor: 0,
    leastNearest: async () => 0,
    batch_size: 2,
    parallel: 1,
    async embed(some) {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      texts.push(...some);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running.now -= 1;
      return some.map(() => Float32Array.of(1, 0));
    },
  };
  const embeddings = { ...store.embeddings, parallel: 3 };
  const registry = { ...opened, store: { ...store, embeddings } };
  const { signal } = new AbortController();
  return {
    registry,
    embedder,
    texts,
    running,
    reported,
    embedAll: () =>
      embedAllWaiting(registry, embedder, ({ claimed }) => reported.push(claimed), signal),
  };
}

function ruleOf(at: number): string {
  return `---\ntype: rule\nversion: 1.0.0\nrule_mode: always\ndescription: Rule number ${at}.\n---\nText.\n`;
}

function countClaims({ store }: Registry, failing?: number): { count: number } {
  const claims = { count: 0 };
  const claimWaiting = store.embeddings.claimWaiting.bind(store.embeddings);
  store.embeddings.claimWaiting = async (input) => {
    claims.count += 1;
    if (claims.count === failing) throw new Error('the store is gone');
    return claimWaiting(input);
  };
  return claims;
}

test('embedAllWaiting embeds each text once, with several parallel claims', async () => {
  const { registry, texts, running, reported, embedAll } = await openWaiting(40);
  expect(await embedAll()).toEqual({ made: 40, pause_ms: 0 });
  expect(new Set(texts).size).toBe(40);
  expect(texts).toHaveLength(40);
  expect(running).toEqual({ now: 0, most: 3 });
  expect(reported.reduce((sum, claimed) => sum + claimed, 0)).toBe(40);
  expect(await registry.store.vectors.countVectors(ONLY_TENANT, MODEL.name)).toBe(40);
  expect(await registry.store.embeddings.countWaiting(MODEL.name)).toMatchObject({ waiting: 0 });
});

test('embedAllWaiting uses no parallel claims if one claim covers everything', async () => {
  const { registry, running, embedAll } = await openWaiting(2);
  const claims = countClaims(registry);
  expect(await embedAll()).toEqual({ made: 2, pause_ms: 0 });
  expect(running.most).toBe(1);
  expect(claims.count).toBe(2);
});

test('embedAllWaiting finishes the other claims after a failure and starts no more', async () => {
  const { registry, texts, running, embedAll } = await openWaiting(40);
  const claims = countClaims(registry, 4);
  await expect(embedAll()).rejects.toThrow('the store is gone');
  expect(running.now).toBe(0);
  expect(claims.count).toBe(4);
  expect(texts).toHaveLength(12);
  expect(await registry.store.vectors.countVectors(ONLY_TENANT, MODEL.name)).toBe(12);
});

test('stops while the provider is paused, and returns the longest pause', async () => {
  const { embedder, reported, embedAll } = await openWaiting(40);
  const embed = embedder.embed.bind(embedder);
  let calls = 0;
  embedder.embed = (...input) => {
    calls += 1;
    if (calls <= 2) return embed(...input);
    throw new CatalogError('registry.embedding_failed', 'The provider is left alone.', {
      details: { not_sent: true, retry_after_seconds: calls },
    });
  };
  const { pause_ms } = await embedAll();
  expect(pause_ms).toBe(calls * 1000);
  expect(calls).toBeLessThanOrEqual(5);
  expect(reported).toEqual([4]);
});

test('embedAllWaiting releases a claim only after its last batch', async () => {
  const { registry, embedder, texts, running, embedAll } = await openWaiting(4);
  const embed = embedder.embed.bind(embedder);
  embedder.parallel = 2;
  // Simulates a provider that gets single requests after a failure.
  embedder.embed = async (...input) => {
    if (running.now === 0) return embed(...input);
    throw new CatalogError('registry.embedding_failed', 'The provider is left alone.', {
      details: { not_sent: true },
    });
  };
  expect(await embedAll()).toMatchObject({ pause_ms: 1000 });
  expect(running.now).toBe(0);
  expect(texts).toHaveLength(2);
  expect(await registry.store.vectors.countVectors(ONLY_TENANT, MODEL.name)).toBe(2);
  const { waiting } = await registry.store.embeddings.countWaiting(MODEL.name);
  expect(waiting).toBe(2);
});
