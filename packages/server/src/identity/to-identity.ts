import type { VerifiedIdentity } from '@catalog/core/identity/caller';
import { parseLoadGrants } from '@catalog/core/identity/load-grants';
import type { Json, JsonObject } from '@catalog/core/json';
import type { GroupMapping } from './group-mapping.ts';
import { isName } from './is-name.ts';

/** Under which names a token says what. */
export interface ClaimNames {
  subject: string;
  groups: string;
}

/** Who the claims of a verified token name; undefined where the subject is missing. */
export function toIdentity(
  claims: JsonObject,
  names: ClaimNames,
  mapGroups: GroupMapping,
): VerifiedIdentity | undefined {
  const subject = claimOf(claims, names.subject);
  if (!isName(subject)) return undefined;
  const organization = claimOf(claims, 'org_id');
  return {
    kind: 'subject',
    subject,
    email: readEmail(claims),
    groups: mapGroups(readList(claimOf(claims, names.groups))),
    organization: isName(organization) ? organization : undefined,
    grants: parseLoadGrants(['scope', 'scp'].flatMap((name) => readScopes(claimOf(claims, name)))),
  };
}

function claimOf(claims: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/** An address the provider says nobody has verified could be anybody's. Some write the flag as a text. */
function readEmail(claims: JsonObject): string {
  const email = claimOf(claims, 'email');
  const verified = claimOf(claims, 'email_verified') ?? true;
  return isName(email) && (verified === true || verified === 'true') ? email : '';
}

/** One group for each entry; a single text is one group and never split (AUTH-21). */
function readList(value: Json | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter(isName);
}

function readScopes(value: Json | undefined): string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(/\s+/) : []));
}
