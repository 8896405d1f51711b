import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Postings } from './postings.ts';

/** The documents of a term in one layer, stretch by stretch. */
export type TermPostings = readonly StretchPostings[];

export interface StretchPostings {
  stretch: number;
  postings: Postings;
}

/** Whose postings they are. */
export interface PostingsKey {
  tenant: Tenant;
  layer: LayerNumber;
}

/**
 * Postings that were asked for lately, in memory as they are committed: this process is the only one that
 * writes. Words of many documents are asked for often, and reading them takes longer than scoring them.
 */
export interface KeptPostings {
  get(key: PostingsKey, term: string): TermPostings | undefined;
  /** What is kept already stays. */
  put(key: PostingsKey, term: string, postings: TermPostings): void;
  /** To be called right after a commit, with the layers whose documents changed. */
  forget(keys: readonly PostingsKey[]): void;
}

const MOST_BYTES = 67_108_864;
/** What a term takes, and each of its stretches, beside the postings. */
const OVERHEAD_BYTES = 400;

/** Keeps up to `most_bytes`; past it all are read anew. */
export function createKeptPostings(most_bytes = MOST_BYTES): KeptPostings {
  const layers = new Map<string, Map<string, TermPostings>>();
  let bytes = 0;
  const nameOf = ({ tenant, layer }: PostingsKey): string => `${tenant} ${layer}`;
  return {
    get: (key, term) => layers.get(nameOf(key))?.get(term),
    put(key, term, postings) {
      const size = sizeOf(postings);
      if (size > most_bytes || layers.get(nameOf(key))?.has(term) === true) return;
      if (bytes + size > most_bytes) {
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
