import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Embedder } from '@catalog/core/ports/embedder';
import { FLOOR, MODEL } from '@catalog/embedder/model';

/** Texts of a call: their vectors are kept in one write. */
const BATCH_SIZE = 256;
/** Texts in a row: a few milliseconds, so that nobody waits for the processor meanwhile. */
const IN_A_ROW = 64;

/** The model in this program: no request, no key. Its tables are read by the first that asks. */
export function createBuiltinEmbedder(name: string): Embedder {
  // Kept: to ask for a module again takes as long as to embed a query.
  let encoder: Promise<{ encode: (text: string) => Float32Array }> | undefined;
  return {
    model: { name, dimensions: MODEL.dimensions },
    floor: FLOOR,
    batch_size: BATCH_SIZE,
    parallel: 1,
    async embed(texts, _side, signal) {
      encoder ??= import('@catalog/embedder/encode');
      const { encode } = await encoder;
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (vectors.length > 0 && vectors.length % IN_A_ROW === 0) await nextTurn();
        signal.throwIfAborted();
        vectors.push(encode(text));
      }
      return vectors;
    },
  };
}
