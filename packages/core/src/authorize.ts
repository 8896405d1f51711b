import type { AccessClass } from '@catalog/contract/endpoints/endpoint';
import type { Caller } from './layer/visibility.ts';

/** What the decision depends on beside the caller and the route. */
export interface AuthorizationFacts {
  public_mode: boolean;
  /** The request asks to see every layer, whatever its visibility. */
  as_admin: boolean;
}

export type AuthorizationVerdict =
  | { kind: 'admitted' }
  | { kind: 'refused'; code: 'auth.forbidden'; message: string };

const ADMITTED: AuthorizationVerdict = { kind: 'admitted' };
const NOBODY_IS_ADMIN: AuthorizationVerdict = {
  kind: 'refused',
  code: 'auth.forbidden',
  message: 'This needs the admin role, and nobody holds it in public mode.',
};
const NOT_ADMIN: AuthorizationVerdict = {
  kind: 'refused',
  code: 'auth.forbidden',
  message: 'This needs the admin role, and you do not hold it.',
};

/**
 * Whether a caller may use a route of a class at all; what it sees there is the view's part. Without
 * an identity provider the process's own operator is the admin; in public mode nobody can be
 * (decision 1).
 */
export function authorize(
  caller: Caller,
  access: AccessClass,
  facts: AuthorizationFacts,
): AuthorizationVerdict {
  const needsAdmin = access === 'admin' || access === 'operator' || facts.as_admin;
  if (!needsAdmin) return ADMITTED;
  if (facts.public_mode) return NOBODY_IS_ADMIN;
  return caller.kind === 'open' ? ADMITTED : NOT_ADMIN;
}
