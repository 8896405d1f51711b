import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Postings } from './postings.ts';

/** One layer, by range of document numbers. */
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
 * Cache of committed postings; no other process writes. Reading the postings of frequent words takes
 * longer than scoring them.
 */
export interface PostingsCache {
  get(key: PostingsKey, term: string): TermPostings | undefined;
  /** Keeps existing entries. */
  put(key: PostingsKey, term: string, postings: TermPostings): void;
  /** Removes the layers whose documents changed; must be called directly after a commit. */
  forget(keys: readonly PostingsKey[]): void;
}

const MAX_BYTES = 67_108_864;
/** Per term and per range, in addition to the postings. */
const OVERHEAD_BYTES = 400;

/** Clears the cache before an entry would exceed the limit. */
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
