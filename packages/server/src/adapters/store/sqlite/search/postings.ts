/**
 * For each document of one range, the low bits of its number and its impact, sixteen bits each, in
 * ascending order. Supported machines and the stored bytes are little-endian.
 */
export type Postings = Uint32Array;

/** A range is rewritten for one document, and is large enough to be read in few rows. */
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

/** Returns 0 if the document lacks the term. */
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

/**
 * Requires ascending positions in both. A change replaces the posting at its position; impact 0 removes
 * it.
 */
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
