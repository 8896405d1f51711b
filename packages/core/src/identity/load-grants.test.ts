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
])('%s', (scope, grant) => {
  expect(parseLoadGrants(['openid', scope])).toEqual([grant]);
});

describe('grants nothing and still narrows', () => {
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
  ])('%s', (scope) => {
    expect(parseLoadGrants([scope])).toEqual([]);
    expect(parseLoadGrants([scope, 'catalog:read:z'])).toHaveLength(1);
  });
});

test('a token without a scope of the catalog is not narrowed', () => {
  for (const scopes of [
    [],
    ['openid', 'email'],
    ['Catalog:read:a', 'xcatalog:read:a', 'catalog'],
  ]) {
    expect(parseLoadGrants(scopes)).toBeUndefined();
  }
});

test('a further scope never leaves less, and whatever follows the prefix narrows', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), (scopes, rest) => {
      const before = parseLoadGrants([...scopes, 'catalog:read:a/b']) ?? [];
      const after = parseLoadGrants([...scopes, 'catalog:read:a/b', `catalog:${rest}`]);
      expect(after?.slice(0, before.length)).toEqual(before);
    }),
  );
});
