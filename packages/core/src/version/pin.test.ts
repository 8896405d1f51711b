import { CatalogError } from '@catalog/contract/errors/catalog-error';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesPin, parsePin, resolvePin, type PinCandidate } from './pin.ts';
import { compareVersions, parseVersion } from './version.ts';

function hashOf(version: string): string {
  return `sha256:${Buffer.from(version).toString('hex').padEnd(64, '0')}`;
}

/** Returns versions in the order of ingest. A tilde marks a deprecated one, as in `~1.2.0`. */
function stored(...versions: readonly string[]): PinCandidate[] {
  return versions.map((text, ingest_order) => {
    const version = text.replace('~', '');
    return { version, content_hash: hashOf(version), deprecated: version !== text, ingest_order };
  });
}

const RESOLUTIONS: readonly (readonly [
  why: string,
  pin: string,
  stored: readonly string[],
  expected: string | undefined,
])[] = [
  ['latest is what was ingested last, not the highest', '', ['2.0.0', '1.0.0'], '1.0.0'],
  ['latest skips what is deprecated', '', ['1.0.0', '~2.0.0'], '1.0.0'],
  ['latest falls back to the newest deprecated one', '', ['~1.0.0', '~2.0.0'], '2.0.0'],
  ['latest of nothing', '', [], undefined],
  ['latest may be a prerelease', '', ['0.0.0-h0123456789ab'], '0.0.0-h0123456789ab'],
  ['an exact version', '1.0.0', ['1.0.0', '1.0.1'], '1.0.0'],
  ['an exact version that is not there', '1.0.2', ['1.0.0', '1.0.1'], undefined],
  ['an exact version that is deprecated', '1.0.0', ['~1.0.0', '1.0.1'], '1.0.0'],
  ['an exact prerelease', '1.0.0-rc.1', ['1.0.0-rc.1', '1.0.0'], '1.0.0-rc.1'],
  ['an exact version is no prerelease of it', '1.0.0', ['1.0.0-rc.1'], undefined],
  ['builds are one version: the last', '1.0.0', ['1.0.0+dev.2', '1.0.0+dev.1'], '1.0.0+dev.1'],
  [
    'builds are one version: the named',
    '1.0.0+dev.2',
    ['1.0.0+dev.2', '1.0.0+dev.3'],
    '1.0.0+dev.2',
  ],
  ['the named build even if it is deprecated', '1.0.0+a', ['~1.0.0+a', '1.0.0+b'], '1.0.0+a'],
  ['builds are one version: any', '1.0.0+dev.9', ['1.0.0'], '1.0.0'],
  ['a minor range takes the highest', '1.2.x', ['1.2.9', '1.2.10', '1.2.1', '1.3.0'], '1.2.10'],
  ['a minor range stays in its line', '1.2.x', ['1.1.0', '1.3.0', '2.2.0'], undefined],
  ['a major range takes the highest', '1.x', ['1.9.0', '1.10.0', '2.0.0', '1.2.3'], '1.10.0'],
  ['a major range stays in its line', '1.x', ['0.9.0', '2.0.0', '10.0.0'], undefined],
  ['a range skips what is deprecated', '1.x', ['1.1.0', '~1.2.0'], '1.1.0'],
  ['a range falls back to the highest deprecated one', '1.x', ['~1.2.0', '~1.1.0'], '1.2.0'],
  ['a range takes no prerelease', '1.x', ['1.0.0-rc.1', '1.1.0-h1'], undefined],
  ['a range takes the later of two builds', '1.x', ['1.0.0+a', '1.0.0+b'], '1.0.0+b'],
  ['a hash', hashOf('1.1.0'), ['1.0.0', '1.1.0', '1.2.0'], '1.1.0'],
  ['a hash in capitals', `sha256:${hashOf('1.1.0').slice(7).toUpperCase()}`, ['1.1.0'], '1.1.0'],
  ['a hash that is not there', hashOf('3.0.0'), ['1.0.0'], undefined],
  ['what is no version matches no version', '0.x', ['nonsense'], undefined],
];

describe('parsePin', () => {
  test.each([
    '1',
    '1.2',
    'x',
    '1.x.x',
    'x.1',
    '1.2.X',
    '1.*',
    '*',
    '^1.2.3',
    '>=1.0.0',
    'latest',
    '01.x',
    '1.02.x',
    'sha256:',
    `sha256:${'0'.repeat(63)}`,
    `sha256:${'0'.repeat(65)}`,
    `sha256:${'g'.repeat(64)}`,
    `sha512:${'0'.repeat(64)}`,
    `SHA256:${'0'.repeat(64)}`,
    ' 1.2.3',
    '1.2.3 ',
    '1.2.x\n',
  ])('rejects %j and describes valid pins', (text) => {
    expect(() => parsePin(text)).toThrow(CatalogError);
    expect(() => parsePin(text)).toThrow(
      expect.objectContaining({
        code: 'registry.invalid_argument',
        suggested_action: expect.stringContaining('1.2.x'),
      }),
    );
  });

  test('shortens hostile input in the error message', () => {
    expect(() => parsePin(`1.2.3\n${'y'.repeat(5000)}`)).toThrow(/^`1\.2\.3 y{53}…` is not/);
  });
});

describe('resolvePin', () => {
  test.each(RESOLUTIONS)('resolves %s', (_, pin, versions, expected) => {
    expect(resolvePin(parsePin(pin), stored(...versions))?.version).toBe(expected);
  });

  const candidates = fc.array(
    fc.record({
      version: fc
        .tuple(fc.nat(2), fc.nat(2), fc.nat(2), fc.constantFrom('', '-rc.1', '+b'))
        .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`),
      deprecated: fc.boolean(),
      ingest_order: fc.nat(5),
    }),
    { maxLength: 8 },
  );
  const pins = fc.constantFrom('', '1.x', '1.1.x', '0.x', '1.1.1', '2.0.0', hashOf('1.1.1'));

  test('returns a matching candidate unless there is none', () => {
    fc.assert(
      fc.property(candidates, pins, (list, text) => {
        const pin = parsePin(text);
        const all = list.map((each) => ({ ...each, content_hash: hashOf(each.version) }));
        const found = resolvePin(pin, all);
        const matching = all.filter((each) => matchesPin(pin, each));
        if (found === undefined) expect(matching).toEqual([]);
        else expect(matching).toContain(found);
      }),
    );
  });

  test('prefers versions that are not deprecated, and the highest of a range', () => {
    fc.assert(
      fc.property(candidates, fc.constantFrom('1.x', '1.1.x', '0.x'), (list, text) => {
        const pin = parsePin(text);
        const all = list.map((each) => ({ ...each, content_hash: hashOf(each.version) }));
        const found = resolvePin(pin, all);
        const live = all.filter((each) => matchesPin(pin, each) && !each.deprecated);
        if (found === undefined || live.length === 0) return;
        expect(found.deprecated).toBe(false);
        for (const other of live) {
          const [a, b] = [parseVersion(found.version), parseVersion(other.version)];
          if (a === undefined || b === undefined) throw new Error('every candidate is a version');
          expect(compareVersions(a, b)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
