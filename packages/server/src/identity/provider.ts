import type { IncomingMessage } from 'node:http';
import type { IdentityVerdict } from '@catalog/core/identity/caller';

export interface IdentityLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface IdentityProvider {
  /** Identifies the caller. An invalid credential results in a verdict, not an error. */
  identify(incoming: IncomingMessage): IdentityVerdict | Promise<IdentityVerdict>;
  /** Prepares the provider and logs the result; never rejects. */
  prepare(log: IdentityLog): Promise<void>;
  announcesVerifiedEmail(): boolean | undefined;
  /** Checks the issuer, and rejects with the reason while it is unavailable. */
  check(): Promise<void>;
  /** Requests a check of the issuer after a failed request to it. */
  suspect(): void;
  close(): void;
}

const OPEN: IdentityVerdict = { kind: 'open' };
export const ANONYMOUS: IdentityVerdict = { kind: 'anonymous' };
export const EXPIRED: IdentityVerdict = {
  kind: 'refused',
  code: 'auth.token_expired',
  message: 'The token has expired.',
  details: {},
};

/**
 * Identity provider of a registry without authentication: a bearer token neither identifies nor rejects a caller
 * (MODE-04).
 */
export const openProvider: IdentityProvider = {
  identify: () => OPEN,
  prepare: async () => undefined,
  announcesVerifiedEmail: () => true,
  check: async () => undefined,
  suspect: () => undefined,
  close: () => undefined,
};
