import { CatalogError } from '@catalog/contract/errors/catalog-error';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isArtifactId, parseReference } from './reference.ts';

const HASH = `sha256:${'0a'.repeat(32)}`;

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof CatalogError) return error.code;
    throw error;
  }
  return 'nothing was thrown';
}

describe('parseReference', () => {
  test.each([
    ['ops/deploy/check', 'ops/deploy/check', 'latest'],
    ['check', 'check', 'latest'],
    ['ops/check@1.2.3', 'ops/check', 'exact'],
    ['ops/check@1.2.x', 'ops/check', 'minor'],
    ['ops/check@1.x', 'ops/check', 'major'],
    [`ops/check@${HASH}`, 'ops/check', 'hash'],
    ['ops/über mich@1.x', 'ops/über mich', 'major'],
  ])('parses %s', (text, id, kind) => {
    const reference = parseReference(text);
    expect(reference.id).toBe(id);
    expect(reference.pin.kind).toBe(kind);
  });

  test.each([
    '',
    '@1.0.0',
    'ops/check@',
    'ops/check@latest',
    'ops/check@1.2',
    'ops/check@1.0.0@2.0.0',
    '/ops/check',
    'ops/check/',
    'ops//check',
    'ops/../check',
    'ops\\check',
    'ops/check@ 1.0.0',
    'ops/check @1.0.0',
  ])('rejects %j', (text) => {
    expect(codeOf(() => parseReference(text))).toBe('registry.invalid_argument');
  });

  test('splits any combination of an id and a pin', () => {
    const segment = fc.stringMatching(/^[a-z0-9][a-z0-9_.-]{0,8}[a-z0-9]$/);
    const id = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((segments) => segments.join('/'))
      .filter(isArtifactId);
    const pin = fc.constantFrom('1.2.3', '0.0.0-h0123456789ab', '7.x', '7.0.x', HASH);
    fc.assert(
      fc.property(id, pin, (left, right) => {
        const reference = parseReference(`${left}@${right}`);
        expect(reference.id).toBe(left);
        expect(reference.pin).toEqual(parseReference(`other@${right}`).pin);
      }),
    );
  });
});

test.each([
  ['ops/check', true],
  ['a', true],
  ['', false],
  ['ops/che@ck', false],
  ['ops//check', false],
  ['.', false],
  ['ops/..', false],
  ['ops/nul', false],
])('isArtifactId(%j) is %s', (id, expected) => {
  expect(isArtifactId(id)).toBe(expected);
});
