import type { Meaning } from '@catalog/core/search/hybrid-search';
import type { Registry } from '../registry.ts';
import { chooseEmbedder } from './choose-embedder.ts';

/** A query in the terms of the model that searches are asked with; undefined where there is none. */
export async function askMeaning(
  registry: Registry,
  query: string,
  signal: AbortSignal,
): Promise<Meaning | undefined> {
  const embedder = await chooseEmbedder(registry);
  if (embedder === undefined) return undefined;
  const [vector] = await embedder.embed([query], 'query', signal);
  if (vector === undefined) return undefined;
  const { model, floor } = embedder;
  return { model: model.name, vector, floor, fusion: registry.search.fusion };
}
