import { describe, expect, test } from 'vitest';
import type { LockedArtifact, LockFile } from '../lock/types.ts';
import { findUnexpectedChanges, type Offer } from './find-unexpected-changes.ts';

const REGISTRY = 'https://catalog.example.com';

function read(text: string): { version: string; content_hash: string } {
  const [version = '', content_hash = ''] = text.split(' ');
  return { version, content_hash };
}

function row(text: string, given: Partial<LockedArtifact> = {}): LockedArtifact {
  return { target: 'default', id: 'ops/check', layer: 'base', ...read(text), ...given };
}

function lockOf(
  artifacts: LockedArtifact[],
  registries: Readonly<Record<string, string>> = {},
): Pick<LockFile, 'targets' | 'artifacts'> {
  const ids = [...new Set(artifacts.map(({ target }) => target))];
  const targets = ids.map((id) => ({
    id,
    registry: registries[id] ?? REGISTRY,
    harness: 'claude-code',
  }));
  return { targets, artifacts };
}

function find(
  offered: string,
  lock: Pick<LockFile, 'targets' | 'artifacts'>,
  given: Partial<Offer> & { layer?: string } = {},
) {
  const { layer = 'base', ...offer } = given;
  return findUnexpectedChanges(
    {
      target: 'default',
      registry: REGISTRY,
      artifacts: [{ id: 'ops/check', layer, ...read(offered) }],
      ...offer,
    },
    lock,
  );
}

function kinds(...args: Parameters<typeof find>): string[] {
  return find(...args).map(({ kind }) => kind);
}

describe('findUnexpectedChanges with the same registry, layer and id', () => {
  test.each([
    ['1.0.0 a', '1.0.0 a', []],
    ['1.0.0 a', '1.0.0 b', ['rewritten']],
    ['1.0.0 a', '1.0.1 b', []],
    ['1.0.1 a', '1.0.0 b', ['downgrade']],
    ['1.10.0 a', '1.9.0 b', ['downgrade']],
    ['1.9.0 a', '1.10.0 b', []],
    ['2.0.0 a', '2.0.0-rc.1 b', ['downgrade']],
    ['2.0.0-rc.1 a', '2.0.0 b', []],
    ['2.0.0-rc.10 a', '2.0.0-rc.9 b', ['downgrade']],
    // Versions that differ only in build metadata are equal (SPEC-51).
    ['1.0.0+x a', '1.0.0+y b', ['rewritten']],
    ['1.0.0 a', '1.0.0+y b', ['rewritten']],
    ['1.0.0+x a', '1.0.0+y a', []],
    ['1.1.0+x a', '1.0.0+y b', ['downgrade']],
    // Builds of `serve --dev` are exempt on either side.
    ['1.0.0+dev.1 a', '1.0.0+dev.1 b', []],
    ['1.0.0+dev.2 a', '1.0.0+dev.1 b', []],
    ['1.0.0 a', '1.0.0+dev.1 b', []],
    ['1.0.0+dev.1 a', '1.0.0 b', []],
    ['1.0.0+dev.1 a', '0.9.0 b', []],
    ['2.0.0 a', '1.0.0+dev.1 b', []],
    ['1.1.0+developer a', '1.0.0+developer b', ['downgrade']],
    // Derived versions are exempt too (SPEC-49).
    ['0.0.0-hffffffffffff a', '0.0.0-h000000000000 b', []],
    ['0.0.0-hffffffffffff a', '0.0.0-hffffffffffff b', []],
    ['1.0.0 a', '0.0.0-h000000000000 b', []],
    ['0.0.0-h000000000000 a', '0.0.0-alpha b', []],
    ['0.0.0-hotfix a', '0.0.0-beta b', ['downgrade']],
    // Versions without an order are compared by content.
    ['latest a', '1.0.0 b', []],
    ['latest a', 'latest b', ['rewritten']],
  ])('locked %s, offered %s: %j', (locked, offered, expected) => {
    expect(kinds(offered, lockOf([row(locked)]))).toEqual(expected);
  });

  test('returns both versions and both hashes', () => {
    expect(find('1.0.0 b', lockOf([row('1.2.0 a')]))).toEqual([
      {
        kind: 'downgrade',
        id: 'ops/check',
        layer: 'base',
        locked: '1.2.0',
        locked_hash: 'a',
        available: '1.0.0',
        available_hash: 'b',
      },
    ]);
  });
});

describe('findUnexpectedChanges with a different source', () => {
  test.each<[string, Partial<LockedArtifact>, Record<string, string>]>([
    ['another layer', { layer: 'team' }, {}],
    ['another id', { id: 'ops/other' }, {}],
    ['another registry', {}, { default: 'https://other.example.com' }],
    ['another path of the host', {}, { default: `${REGISTRY}/team` }],
    ['a folder registry', {}, { default: '../artifacts' }],
  ])('ignores a row with %s', (_, given, registries) => {
    for (const locked of ['1.0.0 a', '2.0.0 a']) {
      expect(kinds('1.0.0 b', lockOf([row(locked, given)], registries))).toEqual([]);
    }
  });

  test('compares rows whose registry is another spelling of the same URL', () => {
    for (const registry of [`${REGISTRY}/`, 'https://CATALOG.example.com:443']) {
      expect(kinds('1.0.0 b', lockOf([row('1.0.0 a')], { default: registry }))).toEqual([
        'rewritten',
      ]);
    }
  });
});

describe('findUnexpectedChanges with rows of several targets', () => {
  const other = { target: 'cursor' };

  test.each([
    ['a new target is held to the rows of others', '1.0.0 b', [row('1.0.0 a', other)], 'rewritten'],
    ['and to their versions', '1.0.0 b', [row('2.0.0 a', other)], 'downgrade'],
    [
      'content that one of them has already is known',
      '1.0.0 b',
      [row('1.0.0 a', other), row('1.0.0 b', { target: 'codex' })],
      undefined,
    ],
    [
      'the own row decides about content',
      '1.0.0 b',
      [row('1.0.0 a'), row('1.0.0 b', other)],
      'rewritten',
    ],
    [
      'and is current though another is not',
      '1.0.0 b',
      [row('1.0.0 b'), row('1.0.0 a', other)],
      undefined,
    ],
    [
      'the own row decides about versions',
      '2.0.0 b',
      [row('1.0.0 a'), row('3.0.0 c', other)],
      undefined,
    ],
    [
      'an upgrade to what another row has with other content',
      '2.0.0 b',
      [row('1.0.0 a'), row('2.0.0 c', other)],
      'rewritten',
    ],
    [
      'the own row of another layer decides nothing',
      '1.0.0 b',
      [row('1.0.0 b', { layer: 'team' }), row('2.0.0 a', other)],
      'downgrade',
    ],
    [
      'an own development build is exempt whatever others have',
      '1.0.0 b',
      [row('1.0.0+dev.3 a'), row('2.0.0 c', other)],
      undefined,
    ],
  ])('%s', (_, offered, rows, expected) => {
    expect(kinds(offered, lockOf(rows))).toEqual(expected === undefined ? [] : [expected]);
  });
});
