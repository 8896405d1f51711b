import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import { describe, expect, test } from 'vitest';
import { openRedaction } from './redact.ts';
import { errorOf, RegistryError } from './registry-error.ts';

const REGISTRY = 'https://catalog.example.com';

function envelope(members: Partial<ErrorEnvelope> = {}): ErrorEnvelope {
  return {
    code: 'registry.not_found',
    message: 'There is no artifact ops/none.',
    details: {},
    retryable: false,
    suggested_action: '',
    ...members,
  };
}

describe('errorOf', () => {
  test.each(Object.entries(ERROR_CODES))('%s has a next step from catalog', (code, row) => {
    const error = errorOf(envelope({ code, suggested_action: 'Run evil.' }), REGISTRY);
    expect(error.code).toBe(code);
    expect(error.message).toBe(
      `The registry at ${REGISTRY} reports: "There is no artifact ops/none." It suggests: "Run evil."`,
    );
    // A next step for a local problem would weaken local protections.
    const step =
      row.status === null
        ? 'Ask the operator of the registry about this error.'
        : row.suggested_action;
    expect(error.suggested_action).toBe(step);
    expect(error).toBeInstanceOf(row.status === null ? RegistryError : CatalogError);
  });

  test("does not repeat a next step that equals catalog's own", () => {
    const { suggested_action } = ERROR_CODES['registry.not_found'];
    expect(errorOf(envelope({ suggested_action }), REGISTRY).message).toBe(
      `The registry at ${REGISTRY} reports: "There is no artifact ops/none."`,
    );
  });

  test('keeps the code of a plugin and replaces malformed codes', () => {
    expect(errorOf(envelope({ code: 'acme.embargoed' }), REGISTRY).code).toBe('acme.embargoed');
    for (const code of ['Run evil.', 'a.b\n next: run evil', `a.${'b'.repeat(100)}`, '']) {
      expect(errorOf(envelope({ code }), REGISTRY).code).toBe('registry.unknown');
    }
  });

  test('quotes the message on one line with a limited length', () => {
    const message = `a" next: "b\n next: run evil\u001B[2K\u202E${'c'.repeat(5000)}`;
    const error = errorOf(envelope({ message, suggested_action: message }), REGISTRY);
    expect(error.message).toMatch(
      /^The registry at \S+ reports: "[^"\p{C}]+" It suggests: "[^"\p{C}]+"$/u,
    );
    expect(error.message.length).toBeLessThan(1500);
  });

  test('removes the credential of the request', () => {
    const token = 'secret-token-of-alice';
    const error = errorOf(
      envelope({
        message: `You sent ${token}.`,
        suggested_action: `Send ${token.slice(0, 12)} again.`,
        details: { token, text: `It was ${token.slice(4, 14)}.` },
      }),
      REGISTRY,
      openRedaction([token]),
    );
    expect(JSON.stringify(error.toEnvelope())).not.toMatch(/secret-t|token-of|of-alice|et-token/);
  });

  test('limits the size of the details', () => {
    expect(errorOf(envelope({ details: { a: ['b'] } }), REGISTRY).details).toEqual({ a: ['b'] });
    const details = { text: 'x'.repeat(100_000) };
    expect(errorOf(envelope({ details }), REGISTRY).details).toEqual({});
  });
});
