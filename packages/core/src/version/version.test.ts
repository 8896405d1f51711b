import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareVersions, parseVersion, type Version } from './version.ts';

/** In order of precedence; the first rows are those of the semantic versioning specification. */
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
  test.each(NO_VERSIONS)('refuses %j', (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });

  test('reads every part', () => {
    expect(parseVersion('1.22.333-rc.1+build.7')).toEqual({
      major: 1,
      minor: 22,
      patch: 333,
      prerelease: ['rc', '1'],
    });
  });
});

describe('compareVersions', () => {
  test('orders by semantic precedence, each pair of the ascending list', () => {
    for (const [i, a] of ASCENDING.entries()) {
      for (const [j, b] of ASCENDING.entries()) {
        const order = Math.sign(compareVersions(versionOf(a), versionOf(b)));
        expect(order, `${a} against ${b}`).toBe(Math.sign(i - j));
      }
    }
  });

  test('takes versions that differ in build metadata for one (SPEC-51)', () => {
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
