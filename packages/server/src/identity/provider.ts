import type { IncomingMessage } from 'node:http';
import type { IdentityVerdict } from '@catalog/core/identity/caller';

export interface IdentityLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface IdentityProvider {
  /** Returns a verdict instead of throwing for an invalid credential. */
  identify(incoming: IncomingMessage): IdentityVerdict | Promise<IdentityVerdict>;
  /** Logs the result; never rejects. */
  prepare(log: IdentityLog): Promise<void>;
  announcesVerifiedEmail(): boolean | undefined;
  /** Rejects with the reason while the issuer is unavailable. */
  check(): Promise<void>;
  /** Causes a check of the issuer after a failed request to it. */
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

/** Without an identity provider, a bearer token neither identifies nor rejects a caller (MODE-04). */
export const openProvider: IdentityProvider = {
  identify: () => OPEN,
  prepare: async () => undefined,
  announcesVerifiedEmail: () => true,
  check: async () => undefined,
  suspect: () => undefined,
  close: () => undefined,
};
