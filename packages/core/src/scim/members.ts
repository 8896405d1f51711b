import { isObject, type ScimValue } from './attribute.ts';
import type { Filter } from './filter.ts';
import { badRequest, type ScimError } from './scim-error.ts';

export type MemberChange =
  | { kind: 'add' | 'remove'; ids: readonly string[] }
  | { kind: 'set'; ids: readonly string[] };

/** Returns the ids in `members`: a list or a single value, of objects or ids. */
export function readMembers(value: ScimValue): string[] {
  if (value === null) return [];
  const ids = (Array.isArray(value) ? value : [value]).map(readMember);
  return [...new Set(ids)];
}

function readMember(member: ScimValue): string {
  if (typeof member === 'string' && member !== '') return checkId(member);
  if (!isObject(member)) throw invalid('A member must be an object with a user id.');
  const part = (wanted: string): ScimValue | undefined =>
    Object.entries(member).find(([name]) => name.toLowerCase() === wanted)?.[1];
  const type = part('type') ?? 'User';
  if (typeof type !== 'string' || type.toLowerCase() !== 'user') {
    throw invalid('A member must be a user; groups in groups are not supported.');
  }
  const value = part('value');
  if (typeof value !== 'string' || value === '') {
    throw invalid('The "value" of a member must be a user id.');
  }
  return checkId(value);
}

/** Rejects characters that no id contains and some stores cannot query. */
function checkId(id: string): string {
  if (id.includes('\0') || !id.isWellFormed()) throw invalid('A member has no user id.');
  return id;
}

/** Returns the ids in `members[value eq "x"]`, also if several are joined by `or`. */
export function selectedMembers(filter: Filter): string[] {
  if (filter.kind === 'or') return filter.parts.flatMap(selectedMembers);
  const isId =
    filter.kind === 'compare' &&
    filter.operator === 'eq' &&
    filter.path.attribute.name === 'value' &&
    typeof filter.value === 'string';
  if (isId && typeof filter.value === 'string') return [checkId(filter.value)];
  throw badRequest('invalidFilter', 'Select members by id: members[value eq "..."].');
}

function invalid(detail: string): ScimError {
  return badRequest('invalidValue', detail);
}
