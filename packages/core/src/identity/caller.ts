import type { LoadGrant } from './load-grants.ts';

/** Why a credential is refused; each is a code of the catalogue that answers 401, or 400 for headers sent twice. */
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
 * What an identity provider made of a request's credential, before anybody looked into the store. It
 * never rejects by itself: the class of the route decides (SPEC-3).
 */
export type IdentityVerdict =
  /** No identity provider: nobody is told apart. */
  | { kind: 'open' }
  /** No credential, or one that is not honoured. */
  | { kind: 'anonymous' }
  | RefusedCredential
  | VerifiedIdentity;

/** Who a verified credential names. */
export interface VerifiedIdentity {
  kind: 'subject';
  subject: string;
  /** Empty where none is asserted, or where the provider says it is not verified. */
  email: string;
  /** Whether the address is known to be the subject's; only then does it grant anything (SPEC-78). */
  email_verified: boolean;
  groups: readonly string[];
  /** The organization it is for; undefined where it names none. */
  organization: string | undefined;
  /** The `catalog:` scopes of the token; without any the view is not narrowed (SPEC-12). */
  grants: readonly LoadGrant[] | undefined;
}

/** Who asks, in a tenant. */
export type Caller =
  /** The registry tells callers apart by nothing: no identity provider, public mode, a folder. */
  { kind: 'open' } | { kind: 'anonymous' } | RefusedCredential | Subject;

export interface Subject {
  kind: 'subject';
  subject: string;
  /** Undefined or empty when nothing asserts one. */
  email?: string | undefined;
  /** False unless known; then the address is shown, and grants nothing. */
  email_verified?: boolean;
  /** The token's groups and those the directory records, together. */
  groups: readonly string[];
  /** Holds the admin role of the tenant. */
  is_admin?: boolean;
  /** Governs the tenants of the registry, and nothing inside them. */
  is_operator?: boolean;
  /** What the view is narrowed to; undefined is not at all. */
  grants?: readonly LoadGrant[] | undefined;
}
