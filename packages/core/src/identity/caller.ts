import type { LoadGrant } from './load-grants.ts';

/** Error codes with status 401, or 400 for duplicate headers. */
export type RefusalCode =
  | 'auth.token_expired'
  | 'auth.untrusted_token'
  | 'auth.untrusted_runtime'
  | 'auth.tenant_unknown'
  | 'registry.invalid_argument';

export interface RefusedCredential {
  kind: 'refused';
  code: RefusalCode;
  message: string;
  details: Readonly<Record<string, string>>;
}

/**
 * Result of an identity provider for a request's credential, before any store access. It never
 * rejects the request: the access class of the route decides (SPEC-3).
 */
export type IdentityVerdict =
  | { kind: 'open' }
  /** No credential, or one that is ignored. */
  | { kind: 'anonymous' }
  | RefusedCredential
  | VerifiedIdentity;

export interface VerifiedIdentity {
  kind: 'subject';
  subject: string;
  /** Empty if none is asserted, or if the provider reports it as unverified. */
  email: string;
  /** True if the address is known to be the subject's. Only then does it grant anything (SPEC-78). */
  email_verified: boolean;
  groups: readonly string[];
  organization: string | undefined;
  /** `catalog:` scopes of the token. Undefined leaves the view unrestricted (SPEC-12). */
  grants: readonly LoadGrant[] | undefined;
}

export type Caller =
  /** No identity provider, public mode, or a folder. */
  { kind: 'open' } | { kind: 'anonymous' } | RefusedCredential | Subject;

export interface Subject {
  kind: 'subject';
  subject: string;
  /** Undefined or empty if not asserted. */
  email?: string | undefined;
  /** False if unknown; the address is then displayed but grants nothing. */
  email_verified?: boolean;
  /** Groups of the token and of the directory, combined. */
  groups: readonly string[];
  is_admin?: boolean;
  /** True if the subject manages the tenants, but not their content. */
  is_operator?: boolean;
  /** Undefined for no restriction. */
  grants?: readonly LoadGrant[] | undefined;
}
