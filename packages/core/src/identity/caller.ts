import type { LoadGrant } from './load-grants.ts';

/** Codes of rejected credentials, with status 401, or 400 for duplicate headers. */
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
 * Result of an identity provider for a credential, before any store access. The access class of the route decides
 * whether the request is rejected (SPEC-3).
 */
export type IdentityVerdict =
  | { kind: 'open' }
  /** There is no credential, or it is ignored. */
  | { kind: 'anonymous' }
  | RefusedCredential
  | VerifiedIdentity;

export interface VerifiedIdentity {
  kind: 'subject';
  subject: string;
  /** E-mail address; empty if there is none or if it is marked as unverified. */
  email: string;
  /** True if the address is verified. Only a verified address grants access (SPEC-78). */
  email_verified: boolean;
  groups: readonly string[];
  organization: string | undefined;
  /** Scopes of the token that start with `catalog:`; undefined if there is no restriction (SPEC-12). */
  grants: readonly LoadGrant[] | undefined;
}

export type Caller =
  /** No authentication, public mode, or a folder. */
  { kind: 'open' } | { kind: 'anonymous' } | RefusedCredential | Subject;

export interface Subject {
  kind: 'subject';
  subject: string;
  /** E-mail address; undefined or empty if there is none. */
  email?: string | undefined;
  /** False if unknown; the address is then displayed but grants no access. */
  email_verified?: boolean;
  /** Groups of the token and of the directory. */
  groups: readonly string[];
  is_admin?: boolean;
  /** True if the subject manages tenants, but not their content. */
  is_operator?: boolean;
  /** Restrictions of the token; undefined if there are none. */
  grants?: readonly LoadGrant[] | undefined;
}
