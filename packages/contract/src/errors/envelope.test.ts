import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { CatalogError } from './catalog-error.ts';
import { errorEnvelope } from './envelope.ts';

const valid = new CatalogError('config.not_found', 'No file at a.yaml.', {
  details: { path: 'a.yaml' },
}).toEnvelope();

describe('errorEnvelope', () => {
  verifies('ERR-01', 'has exactly code, message, details, retryable and suggested_action', () => {
    expect(Object.keys(valid).toSorted()).toEqual(
      ['code', 'details', 'message', 'retryable', 'suggested_action'].toSorted(),
    );
    expect(errorEnvelope.parse(valid)).toEqual(valid);
    for (const key of Object.keys(valid)) {
      const without = Object.fromEntries(Object.entries(valid).filter(([name]) => name !== key));
      expect(errorEnvelope.safeParse(without).success, `without ${key}`).toBe(false);
    }
    expect(errorEnvelope.safeParse({ ...valid, status: 404 }).success).toBe(false);
  });

  test.each<[string, Record<string, unknown>]>([
    ['an empty message', { message: '' }],
    ['an empty advice', { suggested_action: '' }],
    ['retryable that differs from the catalogue', { retryable: true }],
    ['details with an unknown key', { details: { path: 'a.yaml', secret: 'x' } }],
    ['details without what the code promises', { details: {} }],
    ['details that are a list', { details: [] }],
    ['a code without a namespace', { code: 'not_found' }],
  ])('rejects %s', (_, change) => {
    expect(errorEnvelope.safeParse({ ...valid, ...change }).success).toBe(false);
  });

  test('accepts any well-formed code in the namespace of a plugin', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
    fc.assert(
      fc.property(word, word, (space, name) => {
        const envelope = { ...valid, code: `zz${space}.${name}`, details: { anything: 1 } };
        expect(errorEnvelope.safeParse(envelope).success).toBe(true);
      }),
    );
  });

  test('keeps the cause and the suggested action of a CatalogError', () => {
    const cause = new Error('ENOENT');
    const error = new CatalogError('config.not_found', 'Gone.', {
      cause,
      suggested_action: 'Look.',
    });
    expect(error.cause).toBe(cause);
    expect(error.toEnvelope()).toMatchObject({ suggested_action: 'Look.', retryable: false });
  });
});
