import * as fc from 'fast-check';
import { Types } from 'scimmy';
import { describe, expect, test } from 'vitest';
import type { ScimObject } from './attribute.ts';
import { GROUP_TYPE } from './group-type.ts';
import { matchesFilter } from './matches-filter.ts';
import { parseFilter } from './parse-filter.ts';
import { listQueriedMembers, findKey } from './plan-filter.ts';
import { ScimError } from './scim-error.ts';
import { USER_TYPE } from './user-type.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const ANN: ScimObject = {
  id: 'Id-1',
  userName: 'Ann@Example.com',
  externalId: 'Ext-1',
  active: true,
  title: 'Head of "R\\D"',
  name: { familyName: 'Ash' },
  emails: [
    { value: 'ann@work.example', type: 'work', primary: true },
    { value: 'ann@home.example', type: 'home' },
  ],
  [ENTERPRISE]: { department: 'Research', manager: { value: 'Id-2' } },
  meta: { created: '2026-03-01T10:00:00Z', resourceType: 'User' },
};

const WORDS = [
  ...'userName emails emails[ ] .value eq pr and or not ( ) "x" " \\ -5 1e9 true null urn: $ref'.split(
    ' ',
  ),
  '"\n',
  '\n\n\n',
  '\0',
  ' ',
];

const matches = (filter: string, resource = ANN): boolean =>
  matchesFilter(parseFilter(USER_TYPE, filter), resource);

describe('matchesFilter and parseFilter', () => {
  test.each([
    // Case matters only if the schema requires it.
    ['userName eq "ann@example.COM"', true],
    ['USERNAME Eq "ann@example.com"', true],
    ['id eq "id-1"', false],
    ['externalId eq "Ext-1"', true],
    ['externalId eq "ext-1"', false],
    ['userName ne "x"', true],
    ['userName co "EXAMPLE"', true],
    ['userName sw "ann"', true],
    ['userName ew ".com"', true],
    ['userName ew "ann"', false],
    ['userName gt "ANA"', true],
    ['userName lt "ann@example.com"', false],
    ['userName ge "ann@example.com"', true],
    ['userName le "ann@example.com"', true],
    ['title eq "Head of \\"R\\\\D\\""', true],
    ['title eq "\\u0048ead of \\"R\\\\D\\""', true],
    ['nickName pr', false],
    ['title pr', true],
    ['nickName eq null', true],
    ['title eq null', false],
    ['nickName ne "x"', true],
    ['nickName eq "x"', false],
    ['nickName co ""', false],
    ['active eq true', true],
    ['active eq True', true],
    ['active eq "true"', true],
    ['active ne false', true],
    ['meta.created gt "2026-02-28T23:00:00-05:00"', true],
    ['meta.created lt "2026-03-01T11:00:00+02:00"', false],
    ['name.familyName eq "ash"', true],
    ['emails eq "ann@home.example"', true],
    ['emails.value eq "ann@home.example"', true],
    ['emails.type eq "other"', false],
    ['emails[type eq "work" and value ew "work.example"]', true],
    ['emails[type eq "work" and value ew "home.example"]', false],
    ['emails.type eq "work" and emails.value ew "home.example"', true],
    ['emails[type eq "home"].value eq "ann@home.example"', true],
    ['emails[type eq "home"].value eq "ann@work.example"', false],
    ['emails[primary eq true]', true],
    ['not (emails[type eq "other"])', true],
    [`${ENTERPRISE}:department eq "research"`, true],
    [`${ENTERPRISE}:manager.value eq "Id-2"`, true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ann"', true],
    // `and` has precedence over `or`, and `not` over both.
    ['title pr or title pr and nickName pr', true],
    ['(title pr or title pr) and nickName pr', false],
    ['not (title pr) or title pr', true],
    ['not (title pr or nickName pr)', false],
    ['  userName   pr  ', true],
  ])('%s is %s', (filter, expected) => {
    expect(matches(filter)).toBe(expected);
  });

  test.each([
    '',
    'userName',
    'userName eq',
    'userName eq ann',
    'userName is "x"',
    'userName eq "x',
    'userName eq "x" and',
    'userName eq "x" "y"',
    'and userName pr',
    '(userName pr',
    'userName pr)',
    'not userName pr',
    'emails[type eq "x"',
    'userName[type eq "x"]',
    'emails[unknown eq "x"]',
    'unknown eq "x"',
    'name eq "x"',
    'name.unknown eq "x"',
    'userName.x eq "x"',
    'active gt true',
    'active co "tr"',
    'userName gt 5',
    'userName gt null',
    'userName eq {}',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    'userName eq "\n"',
    "userName eq 'x'",
    'urn:other:User:userName eq "x"',
    'userName eq "x"; DROP TABLE users',
    '__proto__ pr',
    'constructor pr',
  ])('rejects %s', (filter) => {
    expect(() => parseFilter(USER_TYPE, filter)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidFilter' }),
    );
  });

  test('limits length, depth and terms', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}title pr${')'.repeat(depth)}`;
    const joined = (terms: number) => Array.from({ length: terms }, () => 'title pr').join(' or ');
    expect(matches(nested(10))).toBe(true);
    expect(matches(joined(100))).toBe(true);
    for (const filter of [
      nested(21),
      nested(2000),
      joined(101),
      `title eq "${'x'.repeat(4100)}"`,
    ]) {
      expect(() => parseFilter(USER_TYPE, filter)).toThrow(ScimError);
    }
  });

  test('parses or rejects any string', () => {
    const words = fc.constantFrom(...WORDS);
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(words, { maxLength: 40 }).map((some) => some.join(' ')),
      fc.array(words, { maxLength: 40 }).map((some) => some.join('')),
      fc.tuple(words, fc.integer({ min: 1, max: 2000 })).map(([word, times]) => word.repeat(times)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          matches(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ScimError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('matches the same resources as a reference implementation', () => {
    const names = ['userName', 'title', 'nickName', 'displayName'] as const;
    const values = fc.constantFrom('a', 'b', 'ab', 'ba', 'abc');
    const resources = fc.dictionary(fc.constantFrom(...names), values, { minKeys: 1 });
    const term = fc
      .tuple(fc.constantFrom(...names), fc.constantFrom('eq', 'co', 'sw', 'ew', 'gt', 'le'), values)
      .map(([name, operator, value]) => `${name} ${operator} "${value}"`);
    const present = fc.constantFrom(...names).map((name) => `${name} pr`);
    const joined = fc
      .array(fc.tuple(fc.constantFrom('and', 'or'), fc.oneof(term, present)), {
        minLength: 1,
        maxLength: 6,
      })
      .map((some) => some.map(([word, one], at) => (at === 0 ? one : `${word} ${one}`)).join(' '));
    fc.assert(
      fc.property(joined, fc.array(resources, { minLength: 1, maxLength: 5 }), (text, some) => {
        const theirs = new Types.Filter(text).match(some);
        const ours = some.filter((one) => matches(text, one));
        expect(ours).toEqual(theirs);
      }),
      { numRuns: 300 },
    );
  });
});

describe('keys of a filter', () => {
  test.each([
    ['id eq "x"', { by: 'id', value: 'x' }],
    ['userName eq "ANN"', { by: 'name_key', value: 'ann' }],
    ['externalId eq "X"', { by: 'external_id', value: 'X' }],
    ['active eq true and userName eq "ann"', { by: 'name_key', value: 'ann' }],
    ['userName eq "ann" or active eq true', undefined],
    ['not (userName eq "ann")', undefined],
    ['userName sw "ann"', undefined],
    [`${ENTERPRISE}:department eq "x"`, undefined],
  ])('findKey returns a key for %s only if every match has it', (filter, key) => {
    expect(findKey(USER_TYPE, parseFilter(USER_TYPE, filter))).toEqual(key);
  });

  test('listQueriedMembers returns the ids of members', () => {
    const memberIds = (filter: string): string[] =>
      listQueriedMembers(parseFilter(GROUP_TYPE, filter));
    expect(memberIds('displayName eq "x" and members eq "a"')).toEqual(['a']);
    expect(memberIds('members.value eq "a" or not (members[value eq "b"])')).toEqual(['a', 'b']);
    expect(memberIds('displayName pr')).toEqual([]);
    for (const filter of ['members pr', 'members co "a"', 'members[type eq "User"]']) {
      expect(() => memberIds(filter)).toThrow(ScimError);
    }
    const key = findKey(GROUP_TYPE, parseFilter(GROUP_TYPE, 'members[value eq "b"]'));
    expect(key).toEqual({ by: 'member', value: 'b' });
  });
});
