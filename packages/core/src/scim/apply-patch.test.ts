import { describe, expect, test } from 'vitest';
import { applyPatch } from './apply-patch.ts';
import type { ScimObject, ScimValue } from './attribute.ts';
import { GROUP_TYPE } from './group-type.ts';
import { readPatch } from './read-patch.ts';
import { USER_TYPE } from './user-type.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const WORK = { type: 'work', value: 'w@x', primary: true };
const HOME = { type: 'home', value: 'h@x' };

const BEFORE: ScimObject = {
  userName: 'ann',
  active: true,
  name: { givenName: 'Ann', familyName: 'Ash' },
  emails: [WORK, HOME],
  [ENTERPRISE]: { department: 'R', costCenter: '1' },
};

function patchUser(...Operations: ScimValue[]): ScimObject {
  return applyPatch(USER_TYPE, BEFORE, readPatch({ Operations })).attributes;
}

const USER_CASES: readonly (readonly [name: string, operation: ScimObject, after: ScimObject])[] = [
  ['sets text', { op: 'add', path: 'title', value: 'T' }, { title: 'T' }],
  ['in any case', { op: 'REPLACE', path: 'TITLE', value: 'T' }, { title: 'T' }],
  ['sets false', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
  [
    'sets a part',
    { op: 'replace', path: 'name.givenName', value: 'A' },
    { name: { givenName: 'A', familyName: 'Ash' } },
  ],
  [
    'merges parts',
    { op: 'replace', path: 'name', value: { givenName: 'A' } },
    { name: { givenName: 'A', familyName: 'Ash' } },
  ],
  [
    'adds a value',
    { op: 'add', path: 'emails', value: [{ value: 'n@x' }] },
    { emails: [WORK, HOME, { value: 'n@x' }] },
  ],
  [
    'adds one value that is no list',
    { op: 'add', path: 'emails', value: { value: 'n@x' } },
    { emails: [WORK, HOME, { value: 'n@x' }] },
  ],
  [
    'adds what is there once',
    { op: 'add', path: 'emails', value: [{ value: 'h@x', type: 'home' }] },
    {},
  ],
  [
    'moves the main value',
    { op: 'add', path: 'emails', value: [{ value: 'n@x', primary: true }] },
    { emails: [{ ...WORK, primary: false }, HOME, { value: 'n@x', primary: true }] },
  ],
  ['replaces a list', { op: 'replace', path: 'emails', value: [HOME] }, { emails: [HOME] }],
  [
    'sets a part by a filter',
    { op: 'replace', path: 'emails[type eq "work"].value', value: 'n@x' },
    { emails: [{ ...WORK, value: 'n@x' }, HOME] },
  ],
  [
    'replaces a value by a filter',
    { op: 'replace', path: 'emails[type eq "home"]', value: { value: 'n@x' } },
    { emails: [WORK, { value: 'n@x' }] },
  ],
  [
    'adds to a value by a filter',
    { op: 'add', path: 'emails[type eq "home"]', value: { display: 'H' } },
    { emails: [WORK, { ...HOME, display: 'H' }] },
  ],
  [
    'makes the value a filter describes',
    { op: 'add', path: 'phoneNumbers[type eq "fax"].value', value: '5' },
    { phoneNumbers: [{ type: 'fax', value: '5' }] },
  ],
  [
    'moves the main value by a filter',
    { op: 'replace', path: 'emails[type eq "home"].primary', value: true },
    {
      emails: [
        { ...WORK, primary: false },
        { ...HOME, primary: true },
      ],
    },
  ],
  ['removes by a filter', { op: 'remove', path: 'emails[type eq "work"]' }, { emails: [HOME] }],
  [
    'removes a part by a filter',
    { op: 'remove', path: 'emails[type eq "work"].primary' },
    { emails: [{ type: 'work', value: 'w@x' }, HOME] },
  ],
  [
    'removes the values it is given',
    { op: 'remove', path: 'emails', value: [{ value: 'h@x' }] },
    { emails: [WORK] },
  ],
  ['removes nothing that is not there', { op: 'remove', path: 'emails[type eq "other"]' }, {}],
  [
    'sets in an extension',
    { op: 'replace', path: `${ENTERPRISE}:department`, value: 'S' },
    { [ENTERPRISE]: { department: 'S', costCenter: '1' } },
  ],
  [
    'takes text for an object with a value',
    { op: 'add', path: `${ENTERPRISE}:manager`, value: 'm' },
    { [ENTERPRISE]: { department: 'R', costCenter: '1', manager: { value: 'm' } } },
  ],
  [
    'merges an extension',
    { op: 'add', path: ENTERPRISE, value: { division: 'D' } },
    { [ENTERPRISE]: { department: 'R', costCenter: '1', division: 'D' } },
  ],
  [
    'merges an extension without a path',
    { op: 'add', value: { [ENTERPRISE]: { division: 'D' } } },
    { [ENTERPRISE]: { department: 'R', costCenter: '1', division: 'D' } },
  ],
  [
    'takes paths for names',
    {
      op: 'replace',
      value: {
        'name.familyName': 'B',
        'emails[type eq "home"].value': 'n@x',
        [`${ENTERPRISE}:costCenter`]: '2',
        unknown: 1,
        id: 'x',
        schemas: [],
        meta: {},
      },
    },
    {
      name: { givenName: 'Ann', familyName: 'B' },
      emails: [WORK, { ...HOME, value: 'n@x' }],
      [ENTERPRISE]: { department: 'R', costCenter: '2' },
    },
  ],
  [
    'takes a list of one for a single value',
    { op: 'Replace', path: 'title', value: [{ $ref: null, value: 'T' }] },
    { title: 'T' },
  ],
];

const REMOVALS = [
  ['removes text', 'active', 'active'],
  ['removes all of a list', 'emails', 'emails'],
  ['removes an object', 'name', 'name'],
  ['removes an extension', ENTERPRISE, ENTERPRISE],
] as const;

describe('applyPatch on a user', () => {
  test.each(USER_CASES)('%s', (_, operation, after) => {
    expect(patchUser(operation)).toEqual({ ...BEFORE, ...after });
  });

  test.each(REMOVALS)('%s', (_, path, gone) => {
    const { [gone]: _gone, ...rest } = BEFORE;
    expect(patchUser({ op: 'remove', path })).toEqual(rest);
    if (path !== ENTERPRISE && path !== 'name') {
      expect(patchUser({ op: 'replace', path, value: null })).toEqual(rest);
    }
  });

  test('applies operations in order', () => {
    const after = patchUser(
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'emails', value: [{ value: '1' }] },
      { op: 'replace', path: 'emails[value eq "1"].type', value: 'other' },
    );
    expect(after['emails']).toEqual([{ value: '1', type: 'other' }]);
  });

  test('does not modify its input', () => {
    const copy = structuredClone(BEFORE);
    patchUser({ op: 'replace', path: 'emails[type eq "work"].value', value: 'n@x' });
    expect(() => patchUser({ op: 'remove', path: 'emails' }, { op: 'remove' })).toThrow();
    expect(BEFORE).toEqual(copy);
  });

  test.each([
    [{ op: 'replace', path: 'active', value: 'yes' }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: 1 }, 'invalidValue'],
    [{ op: 'replace', path: 'title', value: {} }, 'invalidValue'],
    [{ op: 'replace', path: 'title' }, 'invalidValue'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
    [{ op: 'replace', path: 'userName', value: ' ' }, 'invalidValue'],
    [{ op: 'replace', path: 'userName', value: null }, 'mutability'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'replace', path: 'meta.created', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'emails[type eq "other"].value', value: 'x' }, 'noTarget'],
    [
      { op: 'add', path: 'emails[not (type eq "work") and type eq "x"].value', value: 'x' },
      'noTarget',
    ],
    [{ op: 'add', path: 'emails[type', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails[type eq].value', value: 'x' }, 'invalidFilter'],
    [{ op: 'add', path: 'name[type eq "x"].value', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'name.a.b', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'urn:other:User:x', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: '__proto__.x', value: 'x' }, 'invalidPath'],
    [
      {
        op: 'add',
        path: 'emails',
        value: [
          { value: '1', primary: true },
          { value: '2', primary: true },
        ],
      },
      'invalidValue',
    ],
    [{ op: 'copy', path: 'title' }, 'invalidSyntax'],
    ['x', 'invalidSyntax'],
  ])('rejects %j', (operation, scimType) => {
    expect(() => patchUser(operation)).toThrow(expect.objectContaining({ status: 400, scimType }));
  });
});

describe('applyPatch on a group', () => {
  const patchGroup = (...Operations: ScimValue[]) =>
    applyPatch(GROUP_TYPE, { displayName: 'g' }, readPatch({ Operations }));

  test.each([
    [
      { op: 'add', path: 'members', value: [{ value: 'a' }, { value: 'b', $ref: null }] },
      [{ kind: 'add', ids: ['a', 'b'] }],
    ],
    [{ op: 'Add', path: 'members', value: { value: 'a' } }, [{ kind: 'add', ids: ['a'] }]],
    [{ op: 'add', path: 'members', value: ['a', 'a'] }, [{ kind: 'add', ids: ['a'] }]],
    [{ op: 'add', value: { members: [{ value: 'a' }] } }, [{ kind: 'add', ids: ['a'] }]],
    [{ op: 'replace', path: 'members', value: [{ value: 'a' }] }, [{ kind: 'set', ids: ['a'] }]],
    [{ op: 'replace', value: { members: [] } }, [{ kind: 'set', ids: [] }]],
    [{ op: 'remove', path: 'members' }, [{ kind: 'set', ids: [] }]],
    [{ op: 'remove', path: 'members', value: [] }, [{ kind: 'set', ids: [] }]],
    [
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: 'a' }] },
      [{ kind: 'remove', ids: ['a'] }],
    ],
    [{ op: 'remove', path: 'members[value eq "a"]' }, [{ kind: 'remove', ids: ['a'] }]],
    [
      { op: 'remove', path: 'members[value eq "a" or value eq "b"]' },
      [{ kind: 'remove', ids: ['a', 'b'] }],
    ],
    [
      { op: 'remove', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:members[value eq "a"]' },
      [{ kind: 'remove', ids: ['a'] }],
    ],
  ])('returns the changes of the members for %j', (operation, members) => {
    expect(patchGroup(operation)).toEqual({ attributes: { displayName: 'g' }, members });
  });

  test.each([
    [{ op: 'add', path: 'members', value: [{ value: 'a', type: 'Group' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ display: 'a' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [5] }, 'invalidValue'],
    [{ op: 'remove', path: 'members[type eq "User"]' }, 'invalidFilter'],
    [{ op: 'add', path: 'members[value eq "a"]', value: { value: 'a' } }, 'invalidPath'],
    [{ op: 'remove', path: 'members.value' }, 'invalidPath'],
    [{ op: 'remove', path: 'displayName' }, 'mutability'],
  ])('rejects %j', (operation, scimType) => {
    expect(() => patchGroup(operation)).toThrow(expect.objectContaining({ scimType }));
  });
});
