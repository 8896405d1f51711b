import { describe, expect, test } from 'vitest';
import { assertedFields, classifyRegistration } from './classify-registration.ts';
import type { Caller } from '../identity/caller.ts';

const OPEN: Caller = { kind: 'open' };
const ANN: Caller = { kind: 'subject', subject: 'ann', groups: [] };
const BODY = { id: 'x', source_type: 'local', local_path: '/srv/x' } as const;
const NOTHING = { owner: '', public: false, organization: false, groups: [], users: null };

describe('classifyRegistration', () => {
  test.each([BODY, { ...BODY, ...NOTHING }])(
    'who is somebody and asserts nothing owns it',
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
    'where nobody is told apart, it is the whole organization’s',
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

  test('what is asserted is stored, and no more than that', () => {
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
  test('one’s own subject as owner asserts nothing; anybody else’s does', () => {
    expect(assertedFields({ ...BODY, owner: 'ann' }, ANN)).toEqual([]);
    expect(assertedFields({ ...BODY, owner: 'bob' }, ANN)).toEqual(['owner']);
    expect(assertedFields({ ...BODY, owner: 'ann' }, OPEN)).toEqual(['owner']);
  });

  test('names every member that says something', () => {
    const body = { ...BODY, public: true, organization: true, groups: ['a'], users: ['b'] };
    expect(assertedFields(body, ANN)).toEqual(['public', 'organization', 'groups', 'users']);
  });
});
