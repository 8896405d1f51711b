import type { IncomingMessage } from 'node:http';
import type { IdentityVerdict } from '@catalog/core/identity/caller';

/** What a provider has to say to the operator. */
export interface IdentityLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Tells who sent a request, by its credential alone. */
export interface IdentityProvider {
  /** Never throws for a bad credential: it says what is wrong with it. */
  identify(incoming: IncomingMessage): IdentityVerdict | Promise<IdentityVerdict>;
  /** Gets ready for the first request and says in the log how that went; it never fails. */
  prepare(log: IdentityLog): Promise<void>;
  /** Whether it is known to tell verified e-mail addresses from others; undefined while unknown. */
  announcesVerifiedEmail(): boolean | undefined;
  /** Rejects with the reason while the issuer is unavailable. */
  check(): Promise<void>;
  /** A request to the issuer failed; the provider finds out whether the issuer is unavailable. */
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

/** Without an identity provider a bearer token neither identifies nor refuses anybody (MODE-04). */
export const openProvider: IdentityProvider = {
  identify: () => OPEN,
  prepare: async () => undefined,
  announcesVerifiedEmail: () => true,
  check: async () => undefined,
  suspect: () => undefined,
  close: () => undefined,
};
