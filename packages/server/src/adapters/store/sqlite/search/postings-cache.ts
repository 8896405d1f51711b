import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Postings } from './postings.ts';

/** Postings of a term in one layer, by range of document numbers. */
export type TermPostings = readonly StretchPostings[];

export interface StretchPostings {
  stretch: number;
  postings: Postings;
}

export interface PostingsKey {
  tenant: Tenant;
  layer: LayerNumber;
}

/**
 * Cache of committed postings. No other process writes to the file. Reading the postings of frequent words takes longer
 * than scoring them.
 */
export interface PostingsCache {
  get(key: PostingsKey, term: string): TermPostings | undefined;
  /** Adds postings unless the cache has them. */
  put(key: PostingsKey, term: string, postings: TermPostings): void;
  /** Removes layers whose documents changed. Call it directly after a commit. */
  forget(keys: readonly PostingsKey[]): void;
}

const MAX_BYTES = 67_108_864;
/** Memory per term and range, in addition to the postings. */
const OVERHEAD_BYTES = 400;

/** Creates a cache that is emptied when an entry would exceed its limit. */
export function createPostingsCache(max_bytes = MAX_BYTES): PostingsCache {
  const layers = new Map<string, Map<string, TermPostings>>();
  let bytes = 0;
  const nameOf = ({ tenant, layer }: PostingsKey): string => `${tenant} ${layer}`;
  return {
    get: (key, term) => layers.get(nameOf(key))?.get(term),
    put(key, term, postings) {
      const size = sizeOf(postings);
      if (size > max_bytes || layers.get(nameOf(key))?.has(term) === true) return;
      if (bytes + size > max_bytes) {
        layers.clear();
        bytes = 0;
      }
      const terms = layers.get(nameOf(key)) ?? new Map<string, TermPostings>();
      layers.set(nameOf(key), terms.set(term, postings));
      bytes += size;
    },
    forget(keys) {
      for (const key of keys) {
        for (const postings of layers.get(nameOf(key))?.values() ?? []) bytes -= sizeOf(postings);
        layers.delete(nameOf(key));
      }
    },
  };
}

function sizeOf(postings: TermPostings): number {
  let size = OVERHEAD_BYTES;
  for (const each of postings) size += OVERHEAD_BYTES + each.postings.byteLength;
  return size;
}
