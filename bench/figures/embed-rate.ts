import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import type { SearchDocument } from '@catalog/core/ports/search-index';
import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { embeddedText } from '@catalog/core/search/embedded-text';
import { createBuiltinEmbedder } from '@catalog/server/adapters/embedder/builtin-embedder';
import { embedAllWaiting } from '@catalog/server/registry/search/embed-all-waiting';
import { newLayer } from '@catalog/testkit/layer-record';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import type { EmbedEngine } from '../embed-rate/embed-engine.ts';
import { postgresEngine } from '../embed-rate/postgres-engine.ts';
import { sqliteEngine } from '../embed-rate/sqlite-engine.ts';
import { median, resultOfParts, type Figure, type Measurement } from '../figure.ts';
import { putArtifacts } from '../fixtures/stored-catalogue.ts';
import { readReferenceSets } from '../search-sets/reference-sets.ts';

const ENGINES: readonly EmbedEngine[] = [sqliteEngine, postgresEngine];
const ROUNDS = 3;
const TEXT_LENGTH = 190;
const AT_LEAST = 0.7;
const AT_ONCE = 2_000;

export const embedRate: Figure = {
  name: 'embed-rate',
  summary:
    'Artifacts embedded per second, with 190 characters of text each and all of them pending, compared with the encoder and the insert statement in a plain loop.',
  kind: 'speed',
  n: 100_000,
  small_n: 2_000,
  run: async ({ n, folder }) => {
    const documents = makeDocuments(n);
    const parts: Measurement[] = [];
    for (const engine of ENGINES) parts.push(await measureEngine(engine, documents, folder));
    return resultOfParts('embed-rate', parts, [
      'subject: claim, read, encode, put and end the waiting, as the worker of a registry does it',
      'baseline: bench/embed-rate, one loop that encodes and inserts, with as many rows in a transaction',
      `medians of ${ROUNDS} rounds in turns`,
    ]);
  },
};

async function measureEngine(
  engine: EmbedEngine,
  documents: readonly SearchDocument[],
  parent: string,
): Promise<Measurement> {
  const folder = join(parent, engine.name);
  mkdirSync(folder);
  const store = await engine.open(folder);
  try {
    await fill(store, documents);
    const batches = inBatches(documents.map(embeddedText), createBuiltinEmbedder('').batch_size);
    const costs: { subject: Cost; bare: Cost }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const bare = await costOf(() => engine.insertBare(folder, batches));
      costs.push({ bare, subject: await embedAll(store, documents.length, `round ${round}`) });
    }
    return partOf(engine, documents.length, costs);
  } finally {
    await store.close();
  }
}

/** Embeds everything for a new model, and takes it away again. */
async function embedAll(store: Store, n: number, name: string): Promise<Cost> {
  const embedder = createBuiltinEmbedder(name);
  const { registry, close } = await openMemoryRegistry();
  const now = registry.now().toISOString();
  await store.vectors.addModel(embedder.model);
  await store.embeddings.addModel({ ...embedder.model, external: false, now });
  const search = { ...registry.search, vectors: store.vectors, embedder };
  const { signal } = new AbortController();
  const cost = await costOf(async () => {
    await embedAllWaiting({ ...registry, store, search }, embedder, () => undefined, signal);
  });
  const kept = await store.vectors.countVectors(ONLY_TENANT, name);
  if (kept !== n) throw new Error(`${kept} of ${n} artifacts have a vector.`);
  await store.embeddings.dropModel(name);
  await store.vectors.dropModel(name);
  await close();
  return cost;
}

interface Cost {
  wall_ms: number;
  cpu_ms: number;
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall_ms: performance.now() - start, cpu_ms: (user + system) / 1000 };
}

function partOf(
  { name, in_process }: EmbedEngine,
  n: number,
  costs: readonly { subject: Cost; bare: Cost }[],
): Measurement {
  const rate = (side: 'subject' | 'bare', kind: keyof Cost): number =>
    (n * 1000) / median(costs.map((cost) => cost[side][kind]));
  const ratio = rate('subject', 'wall_ms') / rate('bare', 'wall_ms');
  const cpu_ratio = rate('subject', 'cpu_ms') / rate('bare', 'cpu_ms');
  return {
    name: `embed-rate-${name}`,
    value: rate('subject', 'wall_ms'),
    unit: 'rows/s',
    baseline: rate('bare', 'wall_ms'),
    ratio,
    cpu_ratio,
    n,
    goal: `ratio >= ${AT_LEAST}`,
    met: (in_process ? cpu_ratio : ratio) >= AT_LEAST,
  };
}

/** Descriptions of the sets the model was measured with, joined and cut. */
function makeDocuments(n: number): SearchDocument[] {
  const sentences = readReferenceSets().flatMap(({ documents }) =>
    documents.map(({ description }) => description),
  );
  return Array.from({ length: n }, (_, index) => {
    const name = `a${index}`;
    const document = {
      id: `bench/${name}`,
      type: 'skill',
      tags: [],
      name,
      description: '',
      when_to_use: [],
    };
    const text = [0, 7, 13].map((step) => sentences[(index + step) % sentences.length]).join(' ');
    const missing = TEXT_LENGTH - embeddedText(document).length - 1;
    return { ...document, description: text.slice(0, missing) };
  });
}

async function fill(store: Store, documents: readonly SearchDocument[]): Promise<void> {
  const { number } = await store.transaction(({ layers }) =>
    layers.create(ONLY_TENANT, newLayer({ id: 'bench', created_at: '2026-01-02T03:04:05.000Z' })),
  );
  for (const some of inBatches(documents, AT_ONCE)) {
    await putArtifacts(store, { id: 'bench', number }, some);
  }
}

function inBatches<Row>(rows: readonly Row[], size: number): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, batch) =>
    rows.slice(batch * size, (batch + 1) * size),
  );
}
