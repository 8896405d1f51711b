import { hash } from 'node:crypto';
import type { VerifiedIdentity } from '@catalog/core/identity/caller';

export interface VerifiedToken<Key> {
  identity: VerifiedIdentity;
  /** Time of expiry, in seconds since 1970. */
  exp: number;
  key: Key;
}

/**
 * Cache of verified tokens, by digest. Invalid tokens are never added, so that only users of the issuer can fill it.
 */
export interface TokenCache<Key> {
  get(token: string): VerifiedToken<Key> | undefined;
  /** Adds a token. Returns the earlier identity if the token was verified before. */
  set(token: string, verified: VerifiedToken<Key>): VerifiedIdentity;
}

const MAX_TOKENS = 10_000;

export function createTokenCache<Key>(max_tokens = MAX_TOKENS): TokenCache<Key> {
  const tokens = new Map<string, VerifiedToken<Key>>();
  return {
    get: (token) => tokens.get(hash('sha256', token, 'base64')),
    set(token, verified) {
      const name = hash('sha256', token, 'base64');
      // Equal tokens keep the same identity object, by which other data of the caller is cached.
      const identity = tokens.get(name)?.identity ?? verified.identity;
      tokens.delete(name);
      const [oldest] = tokens.size < max_tokens ? [] : tokens.keys();
      if (oldest !== undefined) tokens.delete(oldest);
      tokens.set(name, { ...verified, identity });
      return identity;
    },
  };
}
