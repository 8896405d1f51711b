import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { batches } from './batches.ts';

const MEGABYTE = 1024 * 1024;

test('batches keeps all rows in order and respects the size limit', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 6 }), { maxLength: 40 }), (sizes) => {
      const split = [...batches(sizes, (size) => size * MEGABYTE)];
      expect(split.flat()).toEqual(sizes);
      for (const batch of split) {
        const sum = batch.reduce((total, size) => total + size, 0);
        expect(batch.length === 1 || sum <= 4).toBe(true);
      }
    }),
  );
});

test('batches puts 1,000 small rows into one batch', () => {
  const rows = Array.from({ length: 2001 }, (_, row) => row);
  expect(Array.from(batches(rows), (batch) => batch.length)).toEqual([1000, 1000, 1]);
  expect([...batches([])]).toEqual([]);
});
