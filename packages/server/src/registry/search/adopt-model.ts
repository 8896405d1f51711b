import type { Registry } from '../registry.ts';

/**
 * Says that this process is configured to search with its model. A new one gets its room and its work:
 * everything there is waits for a vector of it, and searches go on with the former until it is complete.
 */
export async function adoptModel(registry: Registry): Promise<void> {
  const { embedder, vectors, external } = registry.search;
  if (embedder === undefined) return;
  const { model } = embedder;
  await vectors.addModel(model);
  const now = registry.now().toISOString();
  await registry.store.embeddings.addModel({ ...model, external, now });
}

/** How long vectors stay that no process is configured for: a former release may still run, or return. */
const KEPT_MS = 86_400_000;

/** Removes the vectors of models that nobody wants any more. */
export async function dropUnwantedModels(registry: Registry): Promise<void> {
  const { embeddings } = registry.store;
  const before = new Date(registry.now().getTime() - KEPT_MS).toISOString();
  const models = await embeddings.listModels();
  const wanted = models.filter(({ wanted_at }) => wanted_at >= before);
  // Without another that is complete, old vectors are better than none.
  if (!wanted.some(({ ready }) => ready)) return;
  for (const { name, wanted_at } of models) {
    if (wanted_at >= before) continue;
    await embeddings.dropModel(name);
    await registry.search.vectors.dropModel(name);
  }
}
