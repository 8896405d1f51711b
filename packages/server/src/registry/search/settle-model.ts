import type { Embedder } from '@catalog/core/ports/embedder';
import type { Registry } from '../registry.ts';
import { isReady } from './choose-embedder.ts';

/**
 * Makes a complete model ready, when no texts can be claimed. A model with pending texts is not ready, for example
 * while its provider is unavailable.
 */
export async function settleModel(registry: Registry, embedder: Embedder): Promise<void> {
  const { name } = embedder.model;
  const { embeddings } = registry.store;
  const wasReady = await isReady(registry, embedder);
  if (!wasReady && (await embeddings.countWaiting(name)).waiting > 0) return;
  await registry.search.vectors.settle(name);
  if (!wasReady) await embeddings.markReady(name);
}
