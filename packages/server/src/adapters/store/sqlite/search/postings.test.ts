import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bytesOf,
  impactAt,
  impactIn,
  mergePostings,
  numberAt,
  placeIn,
  placeOf,
  readPostings,
  STRETCH_SIZE,
  stretchOf,
  toPosting,
} from './postings.ts';

const place = fc.integer({ min: 0, max: STRETCH_SIZE - 1 });
const impacts = (least: number): fc.Arbitrary<Map<number, number>> =>
  fc
    .array(fc.tuple(place, fc.integer({ min: least, max: 0xffff })), { maxLength: 50 })
    .map((entries) => new Map(entries));

function toPostings(byPlace: ReadonlyMap<number, number>): Uint32Array {
  const sorted = [...byPlace].sort(([a], [b]) => a - b);
  return Uint32Array.from(sorted, ([at, impact]) => toPosting(at, impact));
}

test('mergePostings replaces changed postings and removes those with impact 0', () => {
  fc.assert(
    fc.property(impacts(1), impacts(0), (known, changes) => {
      const wanted = new Map([...known, ...changes].filter(([at]) => changes.get(at) !== 0));
      expect(mergePostings(toPostings(known), toPostings(changes))).toEqual(toPostings(wanted));
    }),
  );
});

test('postings can be decoded at any memory offset', () => {
  fc.assert(
    fc.property(impacts(1), fc.integer({ min: 0, max: 3 }), (known, offset) => {
      const postings = toPostings(known);
      const bytes = new Uint8Array(postings.byteLength + offset);
      bytes.set(bytesOf(postings), offset);
      const read = readPostings(bytes.subarray(offset));
      expect(read).toEqual(postings);
      expect(new Map(Array.from(read, (each) => [placeIn(each), impactIn(each)]))).toEqual(known);
    }),
  );
});

test('impactAt returns the impact at each position and 0 for others', () => {
  fc.assert(
    fc.property(impacts(1), fc.array(place, { maxLength: 20 }), (known, others) => {
      const postings = toPostings(known);
      for (const at of [...known.keys(), ...others]) {
        expect(impactAt(postings, at)).toBe(known.get(at) ?? 0);
      }
    }),
  );
});

test('a document number combines its range and its position', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (number) => {
      expect(numberAt(stretchOf(number), placeOf(number))).toBe(number);
    }),
  );
});
