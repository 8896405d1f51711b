import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlobs, globProblem, type GlobDialect } from './glob.ts';

interface GlobRow {
  pattern: string;
  matches: readonly string[];
  misses: readonly string[];
  /** Dialect; both if absent. */
  dialect?: GlobDialect;
}

const GLOBS: readonly GlobRow[] = [
  {
    pattern: 'ops/check',
    matches: ['ops/check'],
    misses: ['ops', 'ops/check/x', 'ops/checks', 'x/ops/check'],
  },
  { pattern: '*', matches: ['ops'], misses: ['ops/check'] },
  { pattern: 'ops/*', matches: ['ops/check'], misses: ['ops', 'ops/a/b', 'opsx/check'] },
  { pattern: '*/check', matches: ['ops/check'], misses: ['check', 'a/b/check'] },
  {
    pattern: 'ops/pre-*',
    matches: ['ops/pre-', 'ops/pre-flight'],
    misses: ['ops/preflight', 'ops/pre-a/b'],
  },
  { pattern: 'ops/*-*-z', matches: ['ops/a-b-z', 'ops/---z'], misses: ['ops/a-z', 'ops/a-b-zz'] },
  { pattern: 'ops/a*b*c', matches: ['ops/abc', 'ops/aXbYbZc'], misses: ['ops/acb', 'ops/abcd'] },
  { pattern: 'ops/?', matches: ['ops/a', 'ops/é', 'ops/😀'], misses: ['ops', 'ops/ab'] },
  { pattern: 'v[0-9]/x', matches: ['v0/x', 'v9/x'], misses: ['v/x', 'va/x', 'v10/x'] },
  { pattern: 'v[!0-9]/x', matches: ['va/x'], misses: ['v1/x', 'v/x'] },
  { pattern: 'v[^ab]', matches: ['vc'], misses: ['va', 'vb'] },
  { pattern: 'v[]x]', matches: ['v]', 'vx'], misses: ['v'] },
  { pattern: 'v[a-]', matches: ['va', 'v-'], misses: ['vb'] },
  { pattern: 'v[a-c-]', matches: ['vb', 'v-'], misses: ['vd'] },
  {
    pattern: '**/check',
    matches: ['check', 'ops/check', 'a/b/check'],
    misses: ['ops/checks', 'check/x'],
  },
  {
    pattern: 'ops/**/check',
    matches: ['ops/check', 'ops/a/check', 'ops/a/b/check'],
    misses: ['ops/a/b', 'check'],
  },
  {
    pattern: 'a/**/b/**/c',
    matches: ['a/b/c', 'a/x/b/b/y/c', 'a/b/x/b/c'],
    misses: ['a/c', 'a/c/b'],
  },
  { pattern: 'a/**/**/b', matches: ['a/b', 'a/x/b'], misses: ['a'] },
  { pattern: 'ops/**', matches: ['ops/a', 'ops/a/b'], misses: ['op/a', 'opsx', 'opsx/a'] },
  { pattern: 'ops/**', matches: ['ops'], misses: [], dialect: 'domain' },
  { pattern: 'ops/**', matches: [], misses: ['ops'], dialect: 'scope' },
  { pattern: '**', matches: ['a', 'a/b'], misses: [] },
  {
    pattern: '{ops,shared}/*',
    matches: ['ops/a', 'shared/a'],
    misses: ['ops', 'other/a', 'ops,shared/a'],
  },
  { pattern: '{a,b/{c,d}}/x', matches: ['a/x', 'b/c/x', 'b/d/x'], misses: ['b/x', 'c/x'] },
  { pattern: 'a{,-b}', matches: ['a', 'a-b'], misses: ['a-', 'ab'] },
  { pattern: '{a,b}{1,2}', matches: ['a1', 'b2'], misses: ['a', 'ab'] },
  { pattern: '{one}', matches: ['one'], misses: ['{one}'] },
  { pattern: 'a,b', matches: ['a,b'], misses: ['a', 'b'] },
  { pattern: '(a+)+b', matches: ['(a+)+b'], misses: ['aab', 'ab'] },
  { pattern: '!ops/check', matches: ['!ops/check'], misses: ['ops/check', 'x'] },
];

const MALFORMED: readonly (readonly [pattern: string, problem: RegExp])[] = [
  ['', /empty/],
  ['/ops', /empty segment/],
  ['ops/', /empty segment/],
  ['ops//check', /empty segment/],
  ['ops/{,a}/b', /empty segment/],
  ['ops/{a,b', /unmatched \{ or \}/],
  ['ops/a,b}', /unmatched \{ or \}/],
  ['{a,{b}', /unmatched \{ or \}/],
  ['ops/[ab', /unmatched \[/],
  ['ops/[]', /unmatched \[/],
  ['ops/[!]', /unmatched \[/],
  ['ops/[z-a]', /end is before its start/],
  ['ops/a**', /only part of a segment/],
  ['ops/check@1.0.0', /contains @/],
  ['ops\\check', /contains \\/],
  ['+(a|b)', /contains \|/],
  ['{1,2}'.repeat(9), /more than 256/],
  [`{${'a,'.repeat(256)}b}`, /more than 256/],
  [`{${'{a,b},'.repeat(140)}b}`, /more than 256/],
  ['a'.repeat(1025), /longer than 1024/],
  [`{${'a,'.repeat(15)}b}${'x'.repeat(600)}`, /more than 8192 characters/],
];

const DIALECTS: readonly GlobDialect[] = ['domain', 'scope'];

describe('compileGlobs', () => {
  for (const { pattern, matches, misses, dialect } of GLOBS) {
    for (const each of dialect === undefined ? DIALECTS : [dialect]) {
      test(`${pattern} matches the expected ids in the dialect ${each}`, () => {
        const test = compileGlobs([pattern], each);
        expect(matches.filter((id) => !test(id))).toEqual([]);
        expect(misses.filter((id) => test(id))).toEqual([]);
        expect(globProblem(pattern)).toBeUndefined();
      });
    }
  }

  test('accepts an id if any of several patterns matches, literal or not', () => {
    const test = compileGlobs(['ops/check', 'shared/*', '{a,b}/x'], 'scope');
    expect(['ops/check', 'shared/a', 'b/x'].every(test)).toBe(true);
    expect(['ops/other', 'shared', 'c/x'].some(test)).toBe(false);
    expect(compileGlobs([], 'scope')('a')).toBe(false);
  });

  test.each(MALFORMED)(
    'matches nothing for the invalid pattern %j, and globProblem reports it',
    (pattern, problem) => {
      expect(globProblem(pattern)).toMatch(problem);
      const matches = compileGlobs([pattern], 'domain');
      expect([pattern, 'ops', 'ops/check', 'a'].some(matches)).toBe(false);
    },
  );

  test('ignores a malformed pattern among valid ones', () => {
    expect(compileGlobs(['[', 'ops/*'], 'scope')('ops/a')).toBe(true);
  });
});

function matchesPlainly(pattern: string, id: string): boolean {
  return matchSegments(pattern.split('/'), id.split('/'));
}

function matchSegments(steps: readonly string[], segments: readonly string[]): boolean {
  const [step, ...rest] = steps;
  const [segment, ...others] = segments;
  if (step === undefined) return segment === undefined;
  if (step === '**') {
    return matchSegments(rest, segments) || (segment !== undefined && matchSegments(steps, others));
  }
  return segment !== undefined && matchCharacters(step, segment) && matchSegments(rest, others);
}

function matchCharacters(step: string, text: string): boolean {
  if (step === '') return text === '';
  if (step.startsWith('*')) {
    return (
      matchCharacters(step.slice(1), text) || (text !== '' && matchCharacters(step, text.slice(1)))
    );
  }
  const sign = step.charAt(0);
  return (
    text !== '' &&
    (sign === '?' || sign === text.charAt(0)) &&
    matchCharacters(step.slice(1), text.slice(1))
  );
}

describe('compileGlobs, compared with a reference', () => {
  const id = fc
    .array(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 1, maxLength: 4 })
    .map((segments) => segments.join('/'));
  const segment = fc.oneof(fc.constant('**'), fc.stringMatching(/^[ab?*]{1,4}$/));
  const pattern = fc
    .array(segment, { minLength: 1, maxLength: 4 })
    .map((segments) => segments.join('/'))
    .filter((text) => globProblem(text) === undefined);

  test('matches the same ids as the recursive reference', () => {
    fc.assert(
      fc.property(pattern, id, (glob, path) => {
        expect(compileGlobs([glob], 'domain')(path)).toBe(matchesPlainly(glob, path));
      }),
      { numRuns: 2000 },
    );
  });

  test('matches a literal id only with the same id', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(compileGlobs([a], 'scope')(b)).toBe(a === b);
      }),
    );
  });

  test('takes time proportional to pattern length times id length at most (T33)', () => {
    const start = process.cpuUsage();
    const inSegment = compileGlobs([`${'*a'.repeat(500)}*b`], 'scope');
    expect(inSegment('a'.repeat(255))).toBe(false);
    const overSegments = compileGlobs([`${'**/a/'.repeat(200)}b`], 'scope');
    expect(overSegments('a/'.repeat(511).slice(0, -1))).toBe(false);
    const alternatives = compileGlobs([`{${'a,'.repeat(15)}b}${'*a'.repeat(200)}*b`], 'scope');
    expect(alternatives('a'.repeat(255))).toBe(false);
    const { user } = process.cpuUsage(start);
    expect(user / 1000).toBeLessThan(50);
  });
});
