import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { parseReference } from '../artifact/reference.ts';
import type { Artifact } from '../artifact/types.ts';
import { parentReference, resolveExtends, type ParentCandidate } from './resolve-extends.ts';

/** A stored version of `ops/base`, whose tag tells it apart; `~1.0.0` is deprecated. */
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

/** The tag of the version that was merged in. */
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

describe('an extends pin', () => {
  verifies(['VER-08', 'FM-06'], 'major.minor.patch names that version of the parent', () => {
    expect(resolve('ops/base@1.2.0', ['1.2.0', '1.2.1', '2.0.0'])).toBe('v1.2.0');
    expect(() => resolve('ops/base@1.2.3', ['1.2.0', '1.2.1'])).toThrow(
      expect.objectContaining({ code: 'ingest.invalid_artifact' }),
    );
  });

  verifies('VER-09', 'major.minor.x resolves to the highest version in that minor line', () => {
    expect(resolve('ops/base@1.2.x', ['1.2.9', '1.2.10', '1.2.3', '1.3.0'])).toBe('v1.2.10');
    expect(() => resolve('ops/base@1.2.x', ['1.1.0', '1.3.0', '2.2.0'])).toThrow(
      expect.objectContaining({ code: 'ingest.invalid_artifact' }),
    );
  });

  verifies('VER-10', 'a content hash names the version that has it', () => {
    expect(resolve(`ops/base@${hashOf('1.1.0')}`, ['1.0.0', '1.1.0', '1.2.0'])).toBe('v1.1.0');
    expect(() => resolve(`ops/base@${hashOf('9.9.9')}`, ['1.0.0'])).toThrow(
      expect.objectContaining({ code: 'ingest.invalid_artifact' }),
    );
  });

  test('none is the version ingested last', () => {
    expect(resolve('ops/base', ['2.0.0', '1.0.0'])).toBe('v1.0.0');
  });

  test.each([
    ['a range skips deprecated versions', 'ops/base@1.x', ['1.1.0', '~1.2.0'], 'v1.1.0'],
    ['so does no pin', 'ops/base', ['1.1.0', '~1.2.0'], 'v1.1.0'],
    ['so does a minor range', 'ops/base@1.2.x', ['1.2.0', '~1.2.1'], 'v1.2.0'],
  ])('%s', (_, reference, versions, expected) => {
    expect(resolve(reference, versions)).toBe(expected);
  });

  test.each([
    ['an exact pin', 'ops/base@1.2.0', '1.2.0 of `ops/base`, which is deprecated'],
    ['a hash', `ops/base@${hashOf('~1.2.0')}`, '1.2.0 of `ops/base`, which is deprecated'],
    ['a range with nothing else', 'ops/base@1.2.x', 'every matching version is deprecated'],
    ['no pin and nothing else', 'ops/base', 'every matching version is deprecated'],
  ])('%s that leads to a deprecated version is refused, and says so', (_, reference, message) => {
    const versions = reference === 'ops/base' ? ['~1.2.0'] : ['1.0.0', '~1.2.0'];
    expect(() => resolve(reference, versions)).toThrow(
      expect.objectContaining({
        code: 'ingest.invalid_artifact',
        message: expect.stringContaining(message),
        suggested_action: expect.stringContaining('not deprecated'),
      }),
    );
  });

  test.each(['ops/base@1.2', 'ops/base@^1.0.0', 'ops/base@', '/ops/base', 'ops/../base@1.0.0'])(
    '%s cannot be read, which its author learns',
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

describe('several layers with the parent', () => {
  test('the first decides latest and ranges', () => {
    expect(resolve('ops/base', ['1.0.0'], ['2.0.0'])).toBe('v1.0.0');
    expect(resolve('ops/base@1.x', ['1.0.0'], ['1.9.0'])).toBe('v1.0.0');
    expect(() => resolve('ops/base@2.x', ['1.0.0'], ['2.0.0'])).toThrow(
      /available: 1\.0\.0, 2\.0\.0/,
    );
  });

  test('an exact version or a hash is looked for in the next (SPEC-21)', () => {
    expect(resolve('ops/base@2.0.0', ['1.0.0'], ['2.0.0'])).toBe('v2.0.0');
    expect(resolve(`ops/base@${hashOf('2.0.0')}`, ['1.0.0'], ['2.0.0'])).toBe('v2.0.0');
  });

  test('a deprecated one in the first is not passed over', () => {
    expect(() => resolve('ops/base@1.0.0', ['~1.0.0'], ['1.0.0'])).toThrow(/deprecated/);
  });

  test('no layer at all has it', () => {
    expect(() => resolve('ops/base@1.0.0')).toThrow(/which does not exist/);
  });
});

test('a child knows the ids of its whole chain, and a chain may not go on for ever', () => {
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

test('versions that some readers may not see are not named', () => {
  const hidden = { ...stored('3.0.0'), is_named: false };
  const reference = parseReference('ops/base@9.0.0');
  const resolveAll = (...versions: ParentCandidate[]) =>
    resolveExtends(child('ops/base@9.0.0'), reference, [versions]);
  expect(() => resolveAll(hidden)).toThrow('but no version matches.');
  expect(() => resolveAll(hidden, stored('1.0.0'))).toThrow('matches; available: 1.0.0.');
});

test('an artifact without extends has no parent', () => {
  const alone = artifactOf('a', {
    'ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\nextends: ""\n---\n',
  });
  expect(parentReference(alone)).toBeUndefined();
});
