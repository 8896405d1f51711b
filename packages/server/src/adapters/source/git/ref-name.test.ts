import { expect, test } from 'vitest';
import { readRef } from './ref-name.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

test.each([
  ['', ['HEAD']],
  ['main', ['refs/heads/main', 'refs/tags/main']],
  ['release/1.x', ['refs/heads/release/1.x', 'refs/tags/release/1.x']],
  ['v1.2.3', ['refs/heads/v1.2.3', 'refs/tags/v1.2.3']],
  ['refs/pull/7/head', ['refs/pull/7/head']],
  ['größe', ['refs/heads/größe', 'refs/tags/größe']],
  [COMMIT.slice(1), [`refs/heads/${COMMIT.slice(1)}`, `refs/tags/${COMMIT.slice(1)}`]],
])('readRef resolves %j to the names %j', (ref, names) => {
  expect(readRef(ref)).toEqual({ kind: 'names', names });
});

test('readRef recognizes a full commit id', () => {
  expect(readRef(COMMIT)).toEqual({ kind: 'commit', commit: COMMIT });
});

test.each([
  '-x',
  '--upload-pack=touch /tmp/x',
  'main:refs/heads/other',
  'a..b',
  'a b',
  'a\nb',
  'a\0b',
  'a~1',
  'a^{tree}',
  '@{-1}',
  '@',
  'a*',
  'a[b',
  'a\\b',
  '/a',
  'a/',
  'a//b',
  '.a',
  'a/.b',
  'a.lock',
  'a.lock/b',
  'a.',
  'refs/heads/',
  'x'.repeat(256),
])('readRef rejects %j', (ref) => {
  expect(readRef(ref)).toBeUndefined();
});
