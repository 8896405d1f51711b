import type { VerifiedIdentity } from '@catalog/core/identity/caller';
import { parseLoadGrants } from '@catalog/core/identity/load-grants';
import type { Json, JsonObject } from '@catalog/core/json';
import type { GroupMapping } from './group-mapping.ts';
import { isName } from './is-name.ts';

export interface ClaimRules {
  subject: string;
  groups: string;
  /** True if every e-mail address from the issuer counts as verified (`trust_email`). */
  trust_email: boolean;
}

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
 * Reads the e-mail address. An address that is marked as unverified is dropped. Without a mark, it is for display only,
 * unless `trust_email` is set. A string is not a valid mark.
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

/** Reads a list of groups. A single string is one group and is never split (AUTH-21). */
function readList(value: Json | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter(isName);
}

function readScopes(value: Json | undefined): string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(/\s+/) : []));
}
