import { expect, test } from 'vitest';
import { leastNearest } from './everyday-topics.ts';
import { MIN_NEAREST_SIMILARITY } from './model.ts';

test('leastNearest requires more for a query about an everyday topic', () => {
  const [everyday, work] = ['a recipe for apple pie', 'database migration deadlock'].map(
    leastNearest,
  );
  expect(everyday).toBeGreaterThan(0.25);
  expect(work).toBeLessThan(0.23);
  expect(work).toBeGreaterThanOrEqual(MIN_NEAREST_SIMILARITY);
});
