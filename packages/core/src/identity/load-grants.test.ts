import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLoadGrants } from './load-grants.ts';

test.each([
  ['catalog:read:finance/close', { kind: 'read', path: 'finance/close', subtree: false, pin: '' }],
  ['catalog:read:finance/*', { kind: 'read', path: 'finance', subtree: true, pin: '' }],
  ['catalog:load:*', { kind: 'load', path: '', subtree: true, pin: '' }],
  ['catalog:load:a/b@1.2.3', { kind: 'load', path: 'a/b', subtree: false, pin: '1.2.3' }],
  ['catalog:load:a/b@1.x', { kind: 'load', path: 'a/b', subtree: false, pin: '1.x' }],
  ['catalog:load:a/*@1.*', { kind: 'load', path: 'a', subtree: true, pin: '1.*' }],
  ['catalog:load:*@*', { kind: 'load', path: '', subtree: true, pin: '*' }],
  ['catalog:load:a@1.0.0-rc.1', { kind: 'load', path: 'a', subtree: false, pin: '1.0.0-rc.1' }],
])('parseLoadGrants parses %s', (scope, grant) => {
  expect(parseLoadGrants(['openid', scope])).toEqual([grant]);
});

describe('parseLoadGrants with invalid scopes', () => {
  test.each([
    'catalog:',
    'catalog:read',
    'catalog:read:',
    'catalog:write:finance/*',
    'catalog:admin:*',
    'catalog:READ:a',
    'catalog:load:a@',
    'catalog:load:a@latest',
    'catalog:load:a@1.2.3.4',
    'catalog:load:a@1@2',
    'catalog:read:a@1.0.0',
    'catalog:load:@1.0.0',
    'catalog:load:../a',
    'catalog:load:/a',
    'catalog:load:a//b',
    'catalog:load:a/**',
    'catalog:load:*/a',
    'catalog:load:**',
    'catalog:load:a/*/b',
  ])('returns no grant for %s, but still restricts the view', (scope) => {
    expect(parseLoadGrants([scope])).toEqual([]);
    expect(parseLoadGrants([scope, 'catalog:read:z'])).toHaveLength(1);
  });
});

test('parseLoadGrants returns undefined for a token without catalog scopes', () => {
  for (const scopes of [
    [],
    ['openid', 'email'],
    ['Catalog:read:a', 'xcatalog:read:a', 'catalog'],
  ]) {
    expect(parseLoadGrants(scopes)).toBeUndefined();
  }
});

test('parseLoadGrants never drops a grant because of a further scope', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), (scopes, rest) => {
      const before = parseLoadGrants([...scopes, 'catalog:read:a/b']) ?? [];
      const after = parseLoadGrants([...scopes, 'catalog:read:a/b', `catalog:${rest}`]);
      expect(after?.slice(0, before.length)).toEqual(before);
    }),
  );
});
