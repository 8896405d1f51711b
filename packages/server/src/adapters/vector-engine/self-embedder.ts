import type { Embedder } from '@catalog/core/ports/embedder';
import { textToVector } from './text-vector.ts';

/** Hands texts on to an engine that embeds by itself. */
export function createSelfEmbedder({
  name,
  floor,
  batch_size,
}: {
  name: string;
  floor: number;
  batch_size: number;
}): Embedder {
  return {
    // How long its vectors are is the engine's own affair.
    model: { name, dimensions: 0 },
    floor,
    leastNearest: async () => floor,
    batch_size,
    parallel: 1,
    embed: async (texts) => texts.map(textToVector),
  };
}
