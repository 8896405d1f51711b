import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { requirementRows } from '@catalog/testkit/requirement-rows';
import { ERROR_NAMESPACES, ERROR_CODES, type ErrorDefinition } from './error-codes.ts';
import { errorDetails } from './details.ts';
import { errorCodePattern } from './envelope.ts';

const rows = Object.entries<ErrorDefinition>(ERROR_CODES);

/** Statuses that the specification defines; SPEC-17 defines all others. */
const STATED: Record<string, number> = {
  'auth.csrf_invalid': 403,
  'auth.forbidden': 403,
  'config.scope_preview_disabled': 403,
  'auth.exchange_failed': 502,
  'registry.unavailable': 500,
  'registry.not_found': 404,
  'registry.tenant_not_found': 404,
  'registry.tenant_management_unavailable': 404,
  'registry.invalid_argument': 400,
};

const namesCode = new RegExp(`\`((?:${ERROR_NAMESPACES.join('|')})\\.[a-z_]+)\``, 'g');

describe('ERROR_CODES', () => {
  verifies(
    'ERR-03',
    'has codes of the form namespace.name in the namespaces of the specification',
    () => {
      for (const [code] of rows) {
        expect(code).toMatch(errorCodePattern);
        expect(ERROR_NAMESPACES).toContain(code.split('.')[0]);
      }
      const used = new Set(rows.map(([code]) => code.slice(0, code.indexOf('.'))));
      expect([...used].toSorted()).toEqual([...ERROR_NAMESPACES]);
    },
  );

  test('contains every code of the requirements', () => {
    const notCodes = new Set(['domain.published', 'domain.md']);
    const named = requirementRows
      .filter((row) => row.id.startsWith('ERR-'))
      .flatMap((row) => [...row.requirement.matchAll(namesCode)].map((match) => match[1] ?? ''))
      .filter((code) => !notCodes.has(code));
    expect(new Set(named).size).toBeGreaterThan(60);
    expect(named.filter((code) => !(code in ERROR_CODES))).toEqual([]);
    const specified = rows.filter(([, row]) => !row.addition).map(([code]) => code);
    expect(specified.filter((code) => !named.includes(code))).toEqual([]);
  });

  test('has the statuses of the specification and marks all others as assumed', () => {
    for (const [code, row] of rows) {
      const stated = STATED[code];
      if (stated !== undefined) expect(row.status, code).toBe(stated);
      expect(row.assumed, code).toBe(stated === undefined && row.status !== null);
    }
  });

  test('has exit code 3 only for retryable errors and 4 only for authentication errors', () => {
    for (const [code, row] of rows) {
      expect(row.exit === 3, code).toBe(row.retryable);
      const rejectsCaller = code.startsWith('auth.') || row.status === 401;
      expect(row.exit === 4, code).toBe(rejectsCaller);
    }
  });

  test.each(rows)('%s has a summary and a suggested action of one sentence each', (_, row) => {
    for (const sentence of [row.summary, row.suggested_action]) {
      expect(sentence).toMatch(/^[A-Z].{8,}\.$/);
    }
  });

  test('has the same codes as errorDetails', () => {
    expect(Object.keys(errorDetails).toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
  });
});
