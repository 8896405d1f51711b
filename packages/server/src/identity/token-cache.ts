import { hash } from 'node:crypto';
import type { VerifiedIdentity } from '@catalog/core/identity/caller';

export interface VerifiedToken<Key> {
  identity: VerifiedIdentity;
  /** Seconds since 1970. */
  exp: number;
  key: Key;
}

/**
 * The tokens themselves are not stored. Only verified tokens are added, so that filling the cache
 * requires an account at the issuer.
 */
export interface TokenCache<Key> {
  get(token: string): VerifiedToken<Key> | undefined;
  /** Returns the earlier object if the token was verified before. */
  set(token: string, verified: VerifiedToken<Key>): VerifiedIdentity;
}

const MAX_TOKENS = 10_000;

export function createTokenCache<Key>(max_tokens = MAX_TOKENS): TokenCache<Key> {
  const tokens = new Map<string, VerifiedToken<Key>>();
  return {
    get: (token) => tokens.get(hash('sha256', token, 'base64')),
    set(token, verified) {
      const name = hash('sha256', token, 'base64');
      // An equal token has equal claims. Callers are cached by the identity object.
      const identity = tokens.get(name)?.identity ?? verified.identity;
      tokens.delete(name);
      const [oldest] = tokens.size < max_tokens ? [] : tokens.keys();
      if (oldest !== undefined) tokens.delete(oldest);
      tokens.set(name, { ...verified, identity });
      return identity;
    },
  };
}
