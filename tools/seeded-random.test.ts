import { expect, test } from 'vitest';
import { seededRandom } from './seeded-random.ts';

test('seededRandom repeats the numbers of a seed, and other seeds differ', () => {
  const draw = (seed: string): number[] => {
    const random = seededRandom(seed);
    return Array.from({ length: 20 }, () => random.int(1_000_000));
  };
  expect(draw('a')).toEqual(draw('a'));
  expect(draw('a')).not.toEqual(draw('b'));
});

test('seededRandom distributes numbers evenly over their range', () => {
  const random = seededRandom('even');
  const counts = Array<number>(10).fill(0);
  for (let round = 0; round < 10_000; round += 1) {
    const bucket = random.int(10);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test('shuffle keeps every item and does not change its argument', () => {
  const items = Array.from({ length: 50 }, (_, index) => index);
  const shuffled = seededRandom('cards').shuffle(items);
  expect(shuffled).not.toEqual(items);
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(items);
});

test('pick throws for an empty list', () => {
  expect(() => seededRandom('x').pick([])).toThrow(RangeError);
});
