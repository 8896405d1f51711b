import type { VerifiedIdentity } from '@catalog/core/identity/caller';
import { expect, test } from 'vitest';
import { createTokenCache } from './token-cache.ts';

function newIdentity(subject: string): VerifiedIdentity {
  return {
    kind: 'subject',
    subject,
    email: '',
    email_verified: false,
    groups: [],
    organization: undefined,
    grants: undefined,
  };
}

test('the token cache evicts the oldest token at its maximum size', () => {
  const cache = createTokenCache<string>(3);
  for (const token of ['a', 'b', 'c', 'a', 'd']) {
    cache.set(token, { identity: newIdentity(token), exp: 1, key: 'k' });
  }
  const kept = ['a', 'b', 'c', 'd'].filter((token) => cache.get(token) !== undefined);
  expect(kept).toEqual(['a', 'c', 'd']);
});

test('a token verified again keeps its identity and updates its key', () => {
  const cache = createTokenCache<string>();
  const first = cache.set('a', { identity: newIdentity('joan'), exp: 1, key: 'old' });
  const second = cache.set('a', { identity: newIdentity('joan'), exp: 1, key: 'new' });
  expect(second).toBe(first);
  expect(cache.get('a')).toMatchObject({ key: 'new' });
  expect(cache.get('b')).toBeUndefined();
});
