import { hash } from 'node:crypto';
import type { VerifiedIdentity } from '@catalog/core/identity/caller';

/** A token that was verified, and what has to hold for it to be believed again unseen. */
export interface VerifiedToken<Key> {
  identity: VerifiedIdentity;
  /** Seconds since 1970, as the token says. */
  exp: number;
  key: Key;
}

/**
 * Tokens that were verified, by their hash: the tokens themselves are kept nowhere. Only verified ones
 * get in, so that nobody can fill it without an account at the issuer.
 */
export interface TokenCache<Key> {
  get(token: string): VerifiedToken<Key> | undefined;
  /** Keeps it, and answers the identity: that of an earlier verification where there was one. */
  set(token: string, verified: VerifiedToken<Key>): VerifiedIdentity;
}

const MOST_TOKENS = 10_000;

export function createTokenCache<Key>(most = MOST_TOKENS): TokenCache<Key> {
  const tokens = new Map<string, VerifiedToken<Key>>();
  return {
    get: (token) => tokens.get(hash('sha256', token, 'base64')),
    set(token, verified) {
      const name = hash('sha256', token, 'base64');
      // The same text says the same; callers are kept by the identity's own object.
      const identity = tokens.get(name)?.identity ?? verified.identity;
      tokens.delete(name);
      const [oldest] = tokens.size < most ? [] : tokens.keys();
      if (oldest !== undefined) tokens.delete(oldest);
      tokens.set(name, { ...verified, identity });
      return identity;
    },
  };
}
