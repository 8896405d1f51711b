import { describe, expect, test } from 'vitest';
import { findVersion, inRange } from './version-range.ts';

describe('version ranges', () => {
  test.each([
    ['3.11.7', '>=3.11', true],
    ['3.10.12', '>=3.11', false],
    ['3.11.0', '>=3.9,<3.12', true],
    ['3.12.0', '>=3.9, <3.12', false],
    ['24.1.0', '>= 20 < 23 || 24', true],
    ['23.0.0', '>=20 <23 || 24', false],
    ['3.11.7', '3.11', true],
    ['3.12.0', '3.11', false],
    ['20.9.1', '20.x', true],
    ['21.0.0', '20.x', false],
    ['20.9.1', '*', true],
    ['20.9.1', '^20.4', true],
    ['21.0.0', '^20.4', false],
    ['0.3.0', '^0.2.1', false],
    ['0.2.9', '^0.2.1', true],
    ['20.4.9', '~20.4.1', true],
    ['20.5.0', '~20.4.1', false],
    ['3.11.9', '~=3.11.2', true],
    ['3.12.0', '~=3.11.2', false],
    ['3.12.0', '~=3.11', true],
    ['3.11.7', '!=3.11', false],
    ['3.11.7', '>3.11', false],
    ['3.12.0', '>3.11', true],
    ['3.11.7', '<=3.11', true],
    ['3.11.7', '==3.11.7', true],
  ])('%s in %s: %s', (version, range, expected) => {
    expect(inRange(findVersion(version) ?? [0, 0, 0], range)).toBe(expected);
  });

  test.each(['newest', '>=', '', '3.11 or later', '>=3.11 <<4'])(
    'inRange returns undefined for %j',
    (range) => {
      expect(inRange([3, 11, 7], range)).toBeUndefined();
    },
  );

  test('findVersion parses the version output of programs', () => {
    expect(findVersion('Python 3.11.7\n')).toEqual([3, 11, 7]);
    expect(findVersion('v24.21.0')).toEqual([24, 21, 0]);
    expect(findVersion('command not found')).toBeUndefined();
  });
});
