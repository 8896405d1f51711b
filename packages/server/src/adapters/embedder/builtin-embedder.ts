import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Embedder } from '@catalog/core/ports/embedder';
import { minNearestCosine, type QueryModel } from '@catalog/core/search/min-nearest-cosine';
import { MIN_SIMILARITY, MODEL } from '@catalog/embedder/model';

/** Number of texts whose vectors are stored in one write. */
const BATCH_SIZE = 256;
/** Number of texts embedded before a pause that lets other requests run. They take a few milliseconds. */
const TEXTS_PER_STEP = 64;

interface Encoder extends QueryModel {
  encode: (text: string) => Float32Array;
}

async function importEncoder(): Promise<Encoder> {
  const [{ encode, isWholeWord }, { leastNearest }] = await Promise.all([
    import('@catalog/embedder/encode'),
    import('@catalog/embedder/everyday-topics'),
  ]);
  return { encode, isWholeWord, leastNearest };
}

/** Reads the tables of the bundled model at the first call. */
export function createBuiltinEmbedder(name: string): Embedder {
  // Cached because importing the module again takes as long as embedding a query.
  let encoder: Promise<Encoder> | undefined;
  return {
    model: { name, dimensions: MODEL.dimensions },
    floor: MIN_SIMILARITY,
    async leastNearest(query) {
      encoder ??= importEncoder();
      return minNearestCosine(query, await encoder);
    },
    batch_size: BATCH_SIZE,
    parallel: 1,
    async embed(texts, _side, signal) {
      encoder ??= importEncoder();
      const { encode } = await encoder;
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (vectors.length > 0 && vectors.length % TEXTS_PER_STEP === 0) await nextTurn();
        signal.throwIfAborted();
        vectors.push(encode(text));
      }
      return vectors;
    },
  };
}
