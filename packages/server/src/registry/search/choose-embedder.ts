import type { Embedder } from '@catalog/core/ports/embedder';
import type { ModelRecord } from '@catalog/core/ports/embeddings';
import type { Registry } from '../registry.ts';

/** Maximum age of the cached models. A switch is noticed after this time; the old vectors remain for a day. */
const FRESH_MS = 1000;

export function listModels(registry: Registry): Promise<readonly ModelRecord[]> {
  const now = registry.now().getTime();
  const last = registry.caches.models;
  if (last !== undefined && now - last.read_at < FRESH_MS) return last.models;
  const models = registry.store.embeddings.listModels();
  registry.caches.models = { read_at: now, models };
  models.catch(() => {
    registry.caches.models = undefined;
  });
  return models;
}

export async function isReady(registry: Registry, { model }: Embedder): Promise<boolean> {
  const models = await listModels(registry);
  return models.some(({ name, ready }) => name === model.name && ready);
}

/**
 * Returns the embedder for a search: the configured model if its vectors are complete, or else another complete one.
 */
export async function chooseEmbedder(registry: Registry): Promise<Embedder | undefined> {
  const { embedder } = registry.search;
  if (embedder === undefined) return undefined;
  const models = await listModels(registry);
  const ready = models.filter((model) => model.ready);
  // A new registry has neither models nor artifacts.
  if (models.length === 0 || ready.some(({ name }) => name === embedder.model.name)) {
    return embedder;
  }
  for (const { name } of ready.toSorted(byLastUse)) {
    const other = registry.search.openEmbedder(name);
    if (other !== undefined) return other;
  }
  return undefined;
}

function byLastUse(a: ModelRecord, b: ModelRecord): number {
  return b.wanted_at.localeCompare(a.wanted_at);
}
