import type { Filter } from './filter.ts';
import { foldName } from './fold-name.ts';
import { badRequest } from './scim-error.ts';
import type { ResourceType } from './attribute.ts';

/** Key with which a store finds the candidates of a filter. */
export interface DirectoryKey {
  by: 'id' | 'name_key' | 'external_id' | 'member';
  value: string;
}

/** Returns a key that all matches of a filter have; undefined if all resources must be read. */
export function findKey(type: ResourceType, filter: Filter): DirectoryKey | undefined {
  if (filter.kind === 'and') {
    for (const part of filter.parts) {
      const key = findKey(type, part);
      if (key !== undefined) return key;
    }
    return undefined;
  }
  if (filter.kind === 'value' && filter.path.attribute.name === 'members') {
    const { part } = filter;
    const isId = part.kind === 'compare' && part.operator === 'eq';
    return isId && typeof part.value === 'string' ? { by: 'member', value: part.value } : undefined;
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq') return undefined;
  const { path, value } = filter;
  if (typeof value !== 'string' || path.extension !== undefined) return undefined;
  const { name } = path.attribute;
  if (name === 'id') return { by: 'id', value };
  if (name === 'externalId') return { by: 'external_id', value };
  if (name === type.naming) return { by: 'name_key', value: foldName(value) };
  return name === 'members' ? { by: 'member', value } : undefined;
}

/** Returns the ids whose membership a filter tests, so that other members are not read. */
export function listQueriedMembers(filter: Filter): string[] {
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.parts.flatMap(listQueriedMembers);
  if (filter.kind === 'not') return listQueriedMembers(filter.part);
  if (filter.path.attribute.name !== 'members') return [];
  return filter.kind === 'value' ? memberOf(filter.part, 'value') : memberOf(filter, 'members');
}

function memberOf(filter: Filter, name: string): string[] {
  const isId =
    filter.kind === 'compare' &&
    filter.operator === 'eq' &&
    filter.path.attribute.name === name &&
    (filter.path.sub === undefined || filter.path.sub.name === 'value');
  if (isId && typeof filter.value === 'string') return [filter.value];
  throw badRequest('invalidFilter', 'Members can be filtered only by id: members.value eq "...".');
}
