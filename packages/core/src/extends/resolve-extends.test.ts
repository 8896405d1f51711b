import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { parseReference } from '../artifact/reference.ts';
import type { Artifact } from '../artifact/types.ts';
import { parentReference, resolveExtends, type ParentCandidate } from './resolve-extends.ts';

function stored(text: string, ingest_order = 0): ParentCandidate {
  const version = text.replace('~', '');
  const deprecated = version !== text;
  const flag = deprecated ? 'deprecated: true\n' : '';
  const artifact = artifactOf('ops/base', {
    'ARTIFACT.md': `---\ntype: rule\nversion: ${version}\ntags: [v${version}]\n${flag}---\n`,
  });
  const { content_hash } = artifact;
  const rest = { ancestors: [], is_refused: false, is_named: true };
  return { version, content_hash, deprecated, ingest_order, artifact, ...rest };
}

function child(reference: string): Artifact {
  return artifactOf('ops/special', {
    'ARTIFACT.md': `---\ntype: rule\nversion: 1.0.0\nextends: "${reference}"\n---\n`,
  });
}

function resolve(text: string, ...layers: readonly string[][]): string | undefined {
  const artifact = child(text);
  const reference = parentReference(artifact);
  if (reference === undefined) throw new Error('the child extends something');
  const candidates = layers.map((versions) =>
    versions.map((version, order) => stored(version, order)),
  );
  return resolveExtends(artifact, reference, candidates).artifact.fields.tags?.[0];
}

function hashOf(version: string): string {
  return stored(version).content_hash;
}

describe('resolveExtends pins', () => {
  verifies(['VER-08', 'FM-06'], 'major.minor.patch resolves to that version of the parent', () => {
    expect(resolve('ops/base@1.2.0', ['1.2.0', '1.2.1', '2.0.0'])).toBe('v1.2.0');
    expect(() => resolve('ops/base@1.2.3', ['1.2.0', '1.2.1'])).toThrow(
      expect.objectContaining({ code: 'ingest.invalid_artifact' }),
    );
  });

  verifies('VER-09', 'major.minor.x resolves to the highest version of that minor line', () => {
    expect(resolve('ops/base@1.2.x', ['1.2.9', '1.2.10', '1.2.3', '1.3.0'])).toBe('v1.2.10');
    expect(() => resolve('ops/base@1.2.x', ['1.1.0', '1.3.0', '2.2.0'])).toThrow(
      expect.objectContaining({ code: 'ingest.invalid_artifact' }),
    );
  });

  verifies('VER-10', 'a content hash resolves to the version with that hash', () => {
    expect(resolve(`ops/base@${hashOf('1.1.0')}`, ['1.0.0', '1.1.0', '1.2.0'])).toBe('v1.1.0');
    expect(() => resolve(`ops/base@${hashOf('9.9.9')}`, ['1.0.0'])).toThrow(
      expect.objectContaining({ code: 'ingest.invalid_artifact' }),
    );
  });

  test('resolves to the version ingested last if there is no pin', () => {
    expect(resolve('ops/base', ['2.0.0', '1.0.0'])).toBe('v1.0.0');
  });

  test.each([
    ['a range skips deprecated versions', 'ops/base@1.x', ['1.1.0', '~1.2.0'], 'v1.1.0'],
    ['so does no pin', 'ops/base', ['1.1.0', '~1.2.0'], 'v1.1.0'],
    ['so does a minor range', 'ops/base@1.2.x', ['1.2.0', '~1.2.1'], 'v1.2.0'],
  ])('resolves %s', (_, reference, versions, expected) => {
    expect(resolve(reference, versions)).toBe(expected);
  });

  test.each([
    ['an exact pin', 'ops/base@1.2.0', '1.2.0 of `ops/base`, which is deprecated'],
    ['a hash', `ops/base@${hashOf('~1.2.0')}`, '1.2.0 of `ops/base`, which is deprecated'],
    ['a range with nothing else', 'ops/base@1.2.x', 'every matching version is deprecated'],
    ['no pin and nothing else', 'ops/base', 'every matching version is deprecated'],
  ])(
    'rejects %s if it resolves to a deprecated version, and reports the reason',
    (_, reference, message) => {
      const versions = reference === 'ops/base' ? ['~1.2.0'] : ['1.0.0', '~1.2.0'];
      expect(() => resolve(reference, versions)).toThrow(
        expect.objectContaining({
          code: 'ingest.invalid_artifact',
          message: expect.stringContaining(message),
          suggested_action: expect.stringContaining('not deprecated'),
        }),
      );
    },
  );

  test.each(['ops/base@1.2', 'ops/base@^1.0.0', 'ops/base@', '/ops/base', 'ops/../base@1.0.0'])(
    'rejects the invalid pin %s with an error for the author',
    (reference) => {
      expect(() => resolve(reference, ['1.2.0'])).toThrow(
        expect.objectContaining({
          code: 'ingest.invalid_artifact',
          message: expect.stringMatching(/^Its `extends` is not valid\. /),
        }),
      );
    },
  );
});

describe('resolveExtends if several layers have the parent', () => {
  test('resolves latest and ranges in the first layer', () => {
    expect(resolve('ops/base', ['1.0.0'], ['2.0.0'])).toBe('v1.0.0');
    expect(resolve('ops/base@1.x', ['1.0.0'], ['1.9.0'])).toBe('v1.0.0');
    expect(() => resolve('ops/base@2.x', ['1.0.0'], ['2.0.0'])).toThrow(
      /available: 1\.0\.0, 2\.0\.0/,
    );
  });

  test('searches further layers for an exact version or a hash (SPEC-21)', () => {
    expect(resolve('ops/base@2.0.0', ['1.0.0'], ['2.0.0'])).toBe('v2.0.0');
    expect(resolve(`ops/base@${hashOf('2.0.0')}`, ['1.0.0'], ['2.0.0'])).toBe('v2.0.0');
  });

  test('does not skip a deprecated version in the first layer', () => {
    expect(() => resolve('ops/base@1.0.0', ['~1.0.0'], ['1.0.0'])).toThrow(/deprecated/);
  });

  test('fails if no layer has the parent', () => {
    expect(() => resolve('ops/base@1.0.0')).toThrow(/which does not exist/);
  });
});

test('resolveExtends returns the ids of the whole chain and limits its length', () => {
  const artifact = child('ops/base');
  const reference = { id: 'ops/base', pin: { kind: 'latest' } } as const;
  const ancestors = Array.from({ length: 31 }, (_, index) => `chain/${index}`);
  const at = (length: number): ParentCandidate[] => [
    { ...stored('1.0.0'), ancestors: ancestors.slice(0, length) },
  ];
  expect(resolveExtends(artifact, reference, [at(2)]).ancestors).toEqual([
    'ops/base',
    'chain/0',
    'chain/1',
  ]);
  expect(resolveExtends(artifact, reference, [at(31)]).ancestors).toHaveLength(32);
  expect(() =>
    resolveExtends(artifact, reference, [
      [{ ...stored('1.0.0'), ancestors: [...ancestors, 'chain/31'] }],
    ]),
  ).toThrow(
    expect.objectContaining({
      code: 'ingest.invalid_artifact',
      message: expect.stringContaining('chain'),
    }),
  );
});

test('resolveExtends does not list versions that some readers may not see', () => {
  const hidden = { ...stored('3.0.0'), is_named: false };
  const reference = parseReference('ops/base@9.0.0');
  const resolveAll = (...versions: ParentCandidate[]) =>
    resolveExtends(child('ops/base@9.0.0'), reference, [versions]);
  expect(() => resolveAll(hidden)).toThrow('but no version matches.');
  expect(() => resolveAll(hidden, stored('1.0.0'))).toThrow('matches; available: 1.0.0.');
});

test('parentReference returns undefined for an artifact without extends', () => {
  const alone = artifactOf('a', {
    'ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\nextends: ""\n---\n',
  });
  expect(parentReference(alone)).toBeUndefined();
});
