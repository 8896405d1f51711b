import type { Registry } from '../registry.ts';

/**
 * Registers the configured model. For a new model, all texts are queued, and searches use the former model until its
 * vectors are complete.
 */
export async function adoptModel(registry: Registry): Promise<void> {
  const { embedder, vectors, external } = registry.search;
  if (embedder === undefined) return;
  const { model } = embedder;
  await vectors.addModel(model);
  const now = registry.now().toISOString();
  await registry.store.embeddings.addModel({ ...model, external, now });
}

/** Time for which vectors of a former model are kept, because a former release may still run or return. */
const KEPT_MS = 86_400_000;

export async function dropUnwantedModels(registry: Registry): Promise<void> {
  const { embeddings } = registry.store;
  const before = new Date(registry.now().getTime() - KEPT_MS).toISOString();
  const models = await embeddings.listModels();
  const wanted = models.filter(({ wanted_at }) => wanted_at >= before);
  // Until the new model is complete, old vectors are better than none.
  if (!wanted.some(({ ready }) => ready)) return;
  for (const { name, wanted_at } of models) {
    if (wanted_at >= before) continue;
    await embeddings.dropModel(name);
    await registry.search.vectors.dropModel(name);
  }
}
