import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVectorPool } from './pool.ts';
import { sumProducts, type StepVector } from './rows.ts';
import { createMirroredVectorSet, type MirroredVectorSet } from './mirrored-vector-set.ts';

const MAX_BYTES = 2 ** 26;

test('multiplyRows returns the same sums as a plain loop for any dimensions', () => {
  const step = fc.integer({ min: -4096, max: 4096 });
  const shape = fc.record({
    dimensions: fc.constantFrom(1, 2, 31, 32, 33, 256, 1024, 3072),
    rows: fc.integer({ min: 1, max: 300 }),
    steps: fc.array(step, { minLength: 7, maxLength: 7 }),
  });
  fc.assert(
    fc.property(shape, ({ dimensions, rows, steps }) => {
      const largest = 4096 / Math.sqrt(dimensions);
      const vectorAt = (row: number): StepVector =>
        Int16Array.from({ length: dimensions }, (_, at) =>
          Math.round(((steps[(row * 3 + at) % 7] ?? 0) / 4096) * largest),
        );
      const pool = createVectorPool(dimensions, MAX_BYTES);
      const shelf = createMirroredVectorSet(pool);
      for (let row = 0; row < rows; row += 1) shelf.put(row, vectorAt(row));
      const queryVector = vectorAt(5);
      pool.ask(queryVector);
      const expected = Array.from({ length: rows }, (_, row) => [
        row,
        sumProducts(queryVector, vectorAt(row)),
      ]);
      expect(offered(shelf)).toEqual(expected);
      expect(expected.map(([row = 0]) => [row, shelf.multiplyOne(row)])).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

test('MirroredVectorSet contains the vectors that were put and not removed, and limits its memory', () => {
  const change = fc.record({
    shelf: fc.constantFrom(0, 1),
    kind: fc.constantFrom('put', 'put', 'remove', 'clear'),
    first: fc.integer({ min: 0, max: 900 }),
    count: fc.integer({ min: 1, max: 400 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const pool = createVectorPool(256, MAX_BYTES);
      const shelves = [createMirroredVectorSet(pool), createMirroredVectorSet(pool)];
      const models = [new Map<number, number>(), new Map<number, number>()];
      const queryVector = new Int16Array(256);
      queryVector[0] = 1;
      changes.forEach(({ shelf: at, kind, first, count }, turn) => {
        const [shelf, model] = [shelves[at], models[at]];
        if (shelf === undefined || model === undefined) return;
        if (kind === 'clear') {
          shelf.clear();
          model.clear();
          return;
        }
        for (let number = first; number < first + count; number += 1) {
          if (kind === 'remove') shelf.remove(number);
          else shelf.put(number, Int16Array.of(turn + 1, ...Array<number>(255).fill(0)));
          if (kind === 'remove') model.delete(number);
          else model.set(number, turn + 1);
        }
      });
      pool.ask(queryVector);
      shelves.forEach((shelf, at) => {
        const model = models[at] ?? new Map<number, number>();
        expect(shelf.size()).toBe(model.size);
        expect(offered(shelf)).toEqual([...model].sort(([a], [b]) => a - b));
      });
    }),
    { numRuns: 40 },
  );
});

test('MirroredVectorSet rejects vectors without free memory and accepts them again after a removal', () => {
  const pool = createVectorPool(256, 3 * 65_536);
  const shelf = createMirroredVectorSet(pool);
  const vector = new Int16Array(256);
  let number = 0;
  while (shelf.put(number, vector)) number += 1;
  expect(number).toBe(3 * pool.block_rows);
  expect(shelf.put(0, vector)).toBe(true);
  shelf.remove(7);
  expect(shelf.put(number, vector)).toBe(true);
});

function offered(shelf: MirroredVectorSet): number[][] {
  const found: number[][] = [];
  shelf.offerAll(-Infinity, (sum, number) => {
    found.push([number, sum]);
    return -Infinity;
  });
  return found.sort(([a = 0], [b = 0]) => a - b);
}
