import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareVersions, parseVersion, type Version } from './version.ts';

/** Versions in ascending order; the first rows are from the semantic versioning specification. */
const ASCENDING = [
  '1.0.0-0',
  '1.0.0-2',
  '1.0.0-10',
  '1.0.0-18446744073709551616',
  '1.0.0-18446744073709551617',
  '1.0.0--',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1',
  '1.2.0',
  '1.10.0',
  '2.0.0',
  '10.0.0',
  '999999999999999.0.0',
];

const NO_VERSIONS = [
  '',
  '1',
  '1.2',
  '1.2.3.4',
  'v1.2.3',
  '1.2.x',
  '01.2.3',
  '1.02.3',
  '1.2.03',
  '1.2.3-',
  '1.2.3-01',
  '1.2.3-a..b',
  '1.2.3+',
  '1.2.3+a+b',
  '1.2.-3',
  ' 1.2.3',
  '1.2.3\n',
  '1000000000000000.0.0',
  `1.2.3-${'a'.repeat(200)}`,
];

function versionOf(text: string): Version {
  const version = parseVersion(text);
  if (version === undefined) throw new Error(`${text} is a version`);
  return version;
}

describe('parseVersion', () => {
  test.each(NO_VERSIONS)('returns undefined for %j', (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });

  test('parses all parts', () => {
    expect(parseVersion('1.22.333-rc.1+build.7')).toEqual({
      major: 1,
      minor: 22,
      patch: 333,
      prerelease: ['rc', '1'],
    });
  });
});

describe('compareVersions', () => {
  test('orders every pair by semantic precedence', () => {
    for (const [i, a] of ASCENDING.entries()) {
      for (const [j, b] of ASCENDING.entries()) {
        const order = Math.sign(compareVersions(versionOf(a), versionOf(b)));
        expect(order, `${a} against ${b}`).toBe(Math.sign(i - j));
      }
    }
  });

  test('ignores build metadata (SPEC-51)', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ASCENDING),
        fc.stringMatching(/^[0-9A-Za-z-]{1,8}(\.[0-9A-Za-z-]{1,8})?$/),
        (text, build) => {
          expect(compareVersions(versionOf(text), versionOf(`${text}+${build}`))).toBe(0);
        },
      ),
    );
  });
});
