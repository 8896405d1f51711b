import { describe, expect, test } from 'vitest';
import { assertedFields, classifyRegistration } from './classify-registration.ts';
import type { Caller } from '../identity/caller.ts';

const OPEN: Caller = { kind: 'open' };
const ANN: Caller = { kind: 'subject', subject: 'ann', groups: [] };
const BODY = { id: 'x', source_type: 'local', local_path: '/srv/x' } as const;
const NOTHING = { owner: '', public: false, organization: false, groups: [], users: null };

describe('classifyRegistration', () => {
  test.each([BODY, { ...BODY, ...NOTHING }])(
    'makes a layer personal if an authenticated caller asserts nothing',
    (body) => {
      expect(classifyRegistration(body, ANN)).toEqual({
        user_defined: true,
        owner: 'ann',
        public: false,
        organization: false,
        groups: null,
        users: ['ann'],
      });
    },
  );

  test.each([BODY, { ...BODY, ...NOTHING }])(
    'makes a layer organization-wide if callers are not authenticated',
    (body) => {
      expect(classifyRegistration(body, OPEN)).toEqual({
        user_defined: false,
        owner: '',
        public: false,
        organization: true,
        groups: null,
        users: null,
      });
    },
  );

  test('stores exactly the asserted values', () => {
    const body = { ...BODY, groups: ['ops'], owner: 'bob' };
    for (const caller of [OPEN, ANN]) {
      expect(classifyRegistration(body, caller)).toEqual({
        user_defined: false,
        owner: 'bob',
        public: false,
        organization: false,
        groups: ['ops'],
        users: null,
      });
    }
  });
});

describe('assertedFields', () => {
  test("ignores the caller's own subject as owner, but not another subject", () => {
    expect(assertedFields({ ...BODY, owner: 'ann' }, ANN)).toEqual([]);
    expect(assertedFields({ ...BODY, owner: 'bob' }, ANN)).toEqual(['owner']);
    expect(assertedFields({ ...BODY, owner: 'ann' }, OPEN)).toEqual(['owner']);
  });

  test('lists every field with a value', () => {
    const body = { ...BODY, public: true, organization: true, groups: ['a'], users: ['b'] };
    expect(assertedFields(body, ANN)).toEqual(['public', 'organization', 'groups', 'users']);
  });
});
