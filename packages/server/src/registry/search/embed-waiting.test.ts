import type { Embedder } from '@catalog/core/ports/embedder';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { embedWaiting } from './embed-waiting.ts';

const MODEL = { name: 'test/slow/t1', dimensions: 2 };
const ID = 'x/rule';
const OLD = Float32Array.of(1, 0);
const NEW = Float32Array.of(0, 1);
const { signal } = new AbortController();

function rule(version: string, description: string): Record<string, Record<string, string>> {
  const fields = `type: rule\nversion: ${version}\nrule_mode: always\ndescription: ${description}`;
  return { [ID]: { 'ARTIFACT.md': `---\n${fields}\n---\nText.\n` } };
}

async function open(external = false): Promise<MemoryRegistry> {
  const opened = await openMemoryRegistry();
  onTestFinished(opened.close);
  const { store } = opened.registry;
  await store.vectors.addModel(MODEL);
  await store.embeddings.addModel({ ...MODEL, external, now: '2026-01-02T03:04:05.000Z' });
  await opened.addLayer('one');
  await opened.ingest('one', { packages: rule('1.0.0', 'An old text.') });
  return opened;
}

function createSlowEmbedder(
  answer: Float32Array,
  until: Promise<void>,
): Embedder & { asked: Promise<void> } {
  const { promise: parameters, resolve } = Promise.withResolvers<void>();
  return {
    model: MODEL,
    floor: 0,
    leastNearest: async () => 0,
    batch_size: 8,
    parallel: 1,
    asked: parameters,
    async embed(texts) {
      resolve();
      await until;
      return texts.map(() => answer);
    },
  };
}

async function similarityTo(
  { registry }: MemoryRegistry,
  vector: Float32Array,
): Promise<number | undefined> {
  const parameters = { model: MODEL.name, vector };
  const documents = [{ layer: 1, id: ID }];
  const [hit] = await registry.store.vectors.compareVectors(ONLY_TENANT, parameters, documents);
  return hit?.similarity;
}

test('a late vector of a former text does not replace that of the current text', async () => {
  const opened = await open();
  const { registry, ingest } = opened;
  const late = Promise.withResolvers<void>();
  const slow = createSlowEmbedder(OLD, late.promise);
  const first = embedWaiting(registry, slow, signal);
  await slow.asked;
  await ingest('one', { packages: rule('1.1.0', 'A new text.') });
  await embedWaiting(registry, createSlowEmbedder(NEW, Promise.resolve()), signal);
  expect(await similarityTo(opened, NEW)).toBeCloseTo(1);
  late.resolve();
  await first;
  expect(await similarityTo(opened, NEW)).toBeCloseTo(1);
});

test('a late removal does not remove the vector of an artifact that returned', async () => {
  const opened = await open(true);
  const { registry, ingest } = opened;
  await embedWaiting(registry, createSlowEmbedder(OLD, Promise.resolve()), signal);
  await ingest('one', {});
  const removing = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const { store } = registry;
  const slow = {
    ...registry,
    store: {
      ...store,
      embeddings: {
        ...store.embeddings,
        async claimWaiting(claim: Parameters<typeof store.embeddings.claimWaiting>[0]) {
          const claimed = await store.embeddings.claimWaiting(claim);
          removing.resolve();
          await late.promise;
          return claimed;
        },
      },
    },
  };
  const first = embedWaiting(slow, createSlowEmbedder(OLD, Promise.resolve()), signal);
  await removing.promise;
  await ingest('one', { packages: rule('1.1.0', 'A new text.') });
  await embedWaiting(registry, createSlowEmbedder(NEW, Promise.resolve()), signal);
  late.resolve();
  await first;
  expect(await similarityTo(opened, NEW)).toBeCloseTo(1);
});
