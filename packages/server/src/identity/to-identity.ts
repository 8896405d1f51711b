import type { VerifiedIdentity } from '@catalog/core/identity/caller';
import { parseLoadGrants } from '@catalog/core/identity/load-grants';
import type { Json, JsonObject } from '@catalog/core/json';
import type { GroupMapping } from './group-mapping.ts';
import { isName } from './is-name.ts';

/** How the claims of a token are read. */
export interface ClaimRules {
  /** The claim that names the subject. */
  subject: string;
  /** The claim that lists groups. */
  groups: string;
  /** Every address of the issuer is verified, also where no token says so (`trust_email`). */
  trust_email: boolean;
}

/** Who the claims of a verified token name; undefined where the subject is missing. */
export function toIdentity(
  claims: JsonObject,
  rules: ClaimRules,
  mapGroups: GroupMapping,
): VerifiedIdentity | undefined {
  const subject = claimOf(claims, rules.subject);
  if (!isName(subject)) return undefined;
  const organization = claimOf(claims, 'org_id');
  return {
    kind: 'subject',
    subject,
    ...readEmail(claims, rules),
    groups: mapGroups(readList(claimOf(claims, rules.groups))),
    organization: isName(organization) ? organization : undefined,
    grants: parseLoadGrants(['scope', 'scp'].flatMap((name) => readScopes(claimOf(claims, name)))),
  };
}

function claimOf(claims: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/**
 * An address that the issuer calls unverified is dropped. One that it says nothing about is kept for
 * display only, unless the operator vouches for the issuer. A flag that is a string, which the standard
 * does not allow, counts as absent.
 */
function readEmail(
  claims: JsonObject,
  { trust_email }: ClaimRules,
): Pick<VerifiedIdentity, 'email' | 'email_verified'> {
  const email = claimOf(claims, 'email');
  const claimed = claimOf(claims, 'email_verified') ?? null;
  const flag = typeof claimed === 'string' ? null : claimed;
  const isVerified = flag === null ? trust_email : flag === true;
  if (!isName(email) || (flag !== null && !isVerified)) return { email: '', email_verified: false };
  return { email, email_verified: isVerified };
}

/** One group for each entry; a single text is one group and never split (AUTH-21). */
function readList(value: Json | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter(isName);
}

function readScopes(value: Json | undefined): string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(/\s+/) : []));
}
