/**
 * Documents of one range in ascending order: the low sixteen bits of each document number, and its impact with sixteen
 * bits. Little-endian, like all supported machines.
 */
export type Postings = Uint32Array;

/** Number of bits of a range of documents. A change rewrites one range, and a search reads few of them. */
const STRETCH_BITS = 12;
export const STRETCH_SIZE = 2 ** STRETCH_BITS;

export function stretchOf(number: number): number {
  return Math.floor(number / STRETCH_SIZE);
}

export function placeOf(number: number): number {
  return number % STRETCH_SIZE;
}

export function numberAt(stretch: number, place: number): number {
  return stretch * STRETCH_SIZE + place;
}

export function toPosting(place: number, impact: number): number {
  return place * 0x10000 + impact;
}

export function placeIn(posting: number): number {
  return posting >>> 16;
}

export function impactIn(posting: number): number {
  return posting & 0xffff;
}

/** Returns the impact of a term in a document; 0 without the term. */
export function impactAt(postings: Postings, place: number): number {
  let low = 0;
  for (let high = postings.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (placeIn(postings[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  const found = postings[low];
  return found !== undefined && placeIn(found) === place ? impactIn(found) : 0;
}

export function readPostings(bytes: Uint8Array): Postings {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

export function bytesOf(postings: Postings): Uint8Array {
  return new Uint8Array(postings.buffer, postings.byteOffset, postings.byteLength);
}

/** Merges two ascending lists of postings. A change replaces the posting of its document; impact 0 removes it. */
export function mergePostings(postings: Postings, changes: Postings): Postings {
  const merged = new Uint32Array(postings.length + changes.length);
  let length = 0;
  let old = 0;
  for (const change of changes) {
    const place = placeIn(change);
    let posting = postings[old];
    while (posting !== undefined && placeIn(posting) < place) {
      merged[length++] = posting;
      posting = postings[++old];
    }
    if (posting !== undefined && placeIn(posting) === place) old += 1;
    if (impactIn(change) > 0) merged[length++] = change;
  }
  const rest = postings.subarray(old);
  merged.set(rest, length);
  return merged.subarray(0, length + rest.length);
}
