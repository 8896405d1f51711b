import { expect, test } from 'vitest';
import { countFirsts } from './count-firsts.ts';

test('every owner has a row of who came first when it was asked for', () => {
  const matrix = countFirsts([
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
