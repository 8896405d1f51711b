import { describe, expect, test } from 'vitest';
import { areaUnderCurve, observableContent } from './timed-client.ts';

describe('areaUnderCurve', () => {
  test.each([
    ['of times that tell everything', [3, 4], [1, 2], 1],
    ['of times that tell everything the other way', [1, 2], [3, 4], 0],
    ['of the same times', [1, 2, 3], [1, 2, 3], 0.5],
    ['of times that tell a little', [1, 3], [0, 2], 0.75],
    ['of one tie among others', [2, 3], [1, 2], 0.875],
  ])('%s', (_, first, second, area) => {
    expect(areaUnderCurve(first, second)).toBe(area);
  });
});

describe('observableContent', () => {
  const answer = { status: 404, headers: { date: 'today', etag: 'x' }, text: 'no a/b', ms: 1 };

  test('omits the requested name and variable headers', () => {
    const other = { ...answer, headers: { date: 'tomorrow', etag: 'x' }, text: 'no c/d', ms: 2 };
    expect(observableContent(answer, 'a/b')).toBe(observableContent(other, 'c/d'));
  });

  test.each([
    { status: 403 },
    { headers: { date: 'today', etag: 'y' } },
    { headers: { date: 'today', etag: 'x', 'retry-after': '1' } },
    { text: 'no a/b ' },
  ])('changes with %o', (change) => {
    expect(observableContent({ ...answer, ...change }, 'a/b')).not.toBe(
      observableContent(answer, 'a/b'),
    );
  });
});
