import { expect, test } from 'vitest';
import { countFirstResults } from './count-first-results.ts';

test("countFirstResults returns the first results of each owner's queries", () => {
  const matrix = countFirstResults([
    { owner: 'ops/b', first: 'ops/b' },
    { owner: 'ops/a', first: 'ops/b' },
    { owner: 'ops/a', first: 'ops/a' },
    { owner: 'ops/a', first: 'ops/b' },
    { owner: 'ops/a', first: null },
  ]);
  expect(matrix).toEqual([
    {
      id: 'ops/a',
      queries: 4,
      first: [
        { id: 'ops/b', queries: 2 },
        { id: 'ops/a', queries: 1 },
      ],
    },
    { id: 'ops/b', queries: 1, first: [{ id: 'ops/b', queries: 1 }] },
  ]);
});
