import type { Embedder } from '@catalog/core/ports/embedder';
import type { Registry } from '../registry.ts';
import { isReady } from './choose-embedder.ts';

/**
 * To be called when nothing can be claimed of a model: its index is made where it has become large, and
 * a new model takes over the searches from now on. One that still waits for texts is left alone, which
 * a provider that is away may keep so for hours.
 */
export async function settleModel(registry: Registry, embedder: Embedder): Promise<void> {
  const { name } = embedder.model;
  const { embeddings } = registry.store;
  const wasReady = await isReady(registry, embedder);
  if (!wasReady && (await embeddings.countWaiting(name)).waiting > 0) return;
  await registry.search.vectors.settle(name);
  if (!wasReady) await embeddings.markReady(name);
}
