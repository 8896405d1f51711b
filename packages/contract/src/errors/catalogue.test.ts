import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { requirementRows } from '@catalog/testkit/requirement-rows';
import { ERROR_NAMESPACES, errorCatalogue, type ErrorRow } from './catalogue.ts';
import { errorDetails } from './details.ts';
import { errorCodePattern } from './envelope.ts';

const rows = Object.entries<ErrorRow>(errorCatalogue);

/** The statuses the specification states itself; every other one is SPEC-17's. */
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

describe('the error catalogue', () => {
  verifies(
    'ERR-03',
    'spells every code as namespace and name, in a namespace of the specification',
    () => {
      for (const [code] of rows) {
        expect(code).toMatch(errorCodePattern);
        expect(ERROR_NAMESPACES).toContain(code.split('.')[0]);
      }
      const used = new Set(rows.map(([code]) => code.slice(0, code.indexOf('.'))));
      expect([...used].toSorted()).toEqual([...ERROR_NAMESPACES]);
    },
  );

  test('holds every code the requirements name', () => {
    const notCodes = new Set(['domain.published', 'domain.md']);
    const named = requirementRows
      .filter((row) => row.id.startsWith('ERR-'))
      .flatMap((row) => [...row.requirement.matchAll(namesCode)].map((match) => match[1] ?? ''))
      .filter((code) => !notCodes.has(code));
    expect(new Set(named).size).toBeGreaterThan(60);
    expect(named.filter((code) => !(code in errorCatalogue))).toEqual([]);
    const specified = rows.filter(([, row]) => !row.addition).map(([code]) => code);
    expect(specified.filter((code) => !named.includes(code))).toEqual([]);
  });

  test('keeps the statuses the specification states and marks the rest as assumed', () => {
    for (const [code, row] of rows) {
      const stated = STATED[code];
      if (stated !== undefined) expect(row.status, code).toBe(stated);
      expect(row.assumed, code).toBe(stated === undefined && row.status !== null);
    }
  });

  test('exits 3 exactly where a retry is safe, and 4 where the caller is not accepted', () => {
    for (const [code, row] of rows) {
      expect(row.exit === 3, code).toBe(row.retryable);
      const rejectsCaller = code.startsWith('auth.') || row.status === 401;
      expect(row.exit === 4, code).toBe(rejectsCaller);
    }
  });

  test.each(rows)('%s says in one sentence what happened and what to do', (_, row) => {
    for (const sentence of [row.summary, row.suggested_action]) {
      expect(sentence).toMatch(/^[A-Z].{8,}\.$/);
    }
  });

  test('describes the details of every code and of no other', () => {
    expect(Object.keys(errorDetails).toSorted()).toEqual(Object.keys(errorCatalogue).toSorted());
  });
});
