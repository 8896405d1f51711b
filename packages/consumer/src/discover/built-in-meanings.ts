import type { SearchDocument } from '@catalog/core/ports/search-index';
import { embeddedText } from '@catalog/core/search/embedded-text';
import type { KnownMeanings } from '@catalog/core/search/reference-hybrid';
import { roundVector } from '@catalog/core/search/round-vector';

/** Says what documents and a query mean, all on this machine. */
export type AskMeanings = (query: string) => KnownMeanings;

/** Vectors that were made, by their document: one that is searched again is not encoded again. */
const made = new WeakMap<SearchDocument, Float32Array>();

/** The built-in model, loaded by the first search that has words. */
export async function openBuiltInMeanings(): Promise<AskMeanings> {
  const [{ encode }, { FLOOR }] = await Promise.all([
    import('@catalog/embedder/encode'),
    import('@catalog/embedder/model'),
  ]);
  function vectorOf(document: SearchDocument): Float32Array {
    const vector = made.get(document) ?? roundVector(encode(embeddedText(document)));
    made.set(document, vector);
    return vector;
  }
  return (query) => ({ query: roundVector(encode(query)), of: vectorOf, floor: FLOOR });
}
