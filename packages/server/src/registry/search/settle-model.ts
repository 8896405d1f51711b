import type { Embedder } from '@catalog/core/ports/embedder';
import type { Registry } from '../registry.ts';
import { listModels } from './choose-embedder.ts';

/**
 * To be called when nothing waits for a model any more: its index is made where it has become large,
 * and a new model takes over the searches from now on.
 */
export async function settleModel(registry: Registry, { model }: Embedder): Promise<void> {
  const { embeddings } = registry.store;
  const models = await listModels(registry);
  const isReady = models.some(({ name, ready }) => name === model.name && ready);
  await registry.search.vectors.settle(model.name);
  if (isReady) return;
  const { waiting } = await embeddings.countWaiting(model.name);
  if (waiting === 0) await embeddings.markReady(model.name);
}
