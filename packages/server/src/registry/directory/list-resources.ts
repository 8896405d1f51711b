import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DirectoryResource } from '@catalog/core/ports/directory';
import type { ResourceType, ScimObject } from '@catalog/core/scim/attribute';
import type { Filter } from '@catalog/core/scim/filter';
import { GROUP_TYPE } from '@catalog/core/scim/group-type';
import type { ListQuery } from '@catalog/core/scim/list-query';
import { matchesFilter } from '@catalog/core/scim/matches-filter';
import { parseFilter } from '@catalog/core/scim/parse-filter';
import { listQueriedMembers, findKey } from '@catalog/core/scim/plan-filter';
import { includesAttribute } from '@catalog/core/scim/project';
import { badRequest } from '@catalog/core/scim/scim-error';
import { USER_TYPE } from '@catalog/core/scim/user-type';
import type { Registry } from '../registry.ts';
import type { DirectoryCall } from './directory-call.ts';
import { showResource, toDocument } from './show-resource.ts';

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const SCAN_BATCH = 500;
const MAX_MEMBERS = 100_000;

interface Found {
  total: number;
  page: readonly DirectoryResource[];
}

/**
 * Lists users or groups. Filters by id, name, external id or member use an index; any other filter reads the whole
 * directory in batches.
 */
export async function listResources(
  registry: Registry,
  call: DirectoryCall,
  query: ListQuery,
): Promise<ScimObject> {
  const { filter } = query;
  const parsed = filter === undefined ? undefined : parseFilter(call.type, filter);
  const { total, page } = await findPage(registry, call, query, parsed);
  return toListResponse(query, total, await showPage(registry, call, query, page));
}

/** Searches users, then groups. A filter excludes types without its attributes. */
export async function searchResources(
  registry: Registry,
  { tenant, trace_id }: Omit<DirectoryCall, 'type'>,
  query: ListQuery,
): Promise<ScimObject> {
  const kinds = readForEach(query.filter);
  let { start_index, count } = query;
  let total = 0;
  const resources: ScimObject[] = [];
  for (const { type, filter } of kinds) {
    const call = { tenant, trace_id, type };
    const found = await findPage(registry, call, { ...query, start_index, count }, filter);
    resources.push(...(await showPage(registry, call, query, found.page)));
    total += found.total;
    start_index = Math.max(1, start_index - found.total);
    count -= found.page.length;
  }
  return toListResponse(query, total, resources);
}

function readForEach(
  text: string | undefined,
): { type: ResourceType; filter: Filter | undefined }[] {
  const types = [USER_TYPE, GROUP_TYPE];
  if (text === undefined) return types.map((type) => ({ type, filter: undefined }));
  let failure: unknown;
  const known = types.flatMap((type) => {
    try {
      return [{ type, filter: parseFilter(type, text) }];
    } catch (error) {
      failure ??= error;
      return [];
    }
  });
  if (known.length === 0) throw failure;
  return known;
}

function toListResponse(
  { start_index }: ListQuery,
  total: number,
  resources: ScimObject[],
): ScimObject {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex: start_index,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

async function findPage(
  registry: Registry,
  call: DirectoryCall,
  query: ListQuery,
  filter: Filter | undefined,
): Promise<Found> {
  return filter === undefined
    ? listAll(registry, call, query)
    : listFiltered(registry, call, query, filter);
}

async function showPage(
  registry: Registry,
  call: DirectoryCall,
  query: ListQuery,
  page: readonly DirectoryResource[],
): Promise<ScimObject[]> {
  await rejectTooManyMembers(registry, call, query, page);
  const resources: ScimObject[] = [];
  for (const resource of page) {
    resources.push(await showResource(registry, call, resource, query.projection));
  }
  return resources;
}

async function listAll(
  { store: { directory } }: Registry,
  { tenant, type }: DirectoryCall,
  { start_index, count }: ListQuery,
): Promise<Found> {
  const total = await directory.count(tenant, type.name);
  const range = { skip: start_index - 1, limit: count };
  return { total, page: count === 0 ? [] : await directory.page(tenant, type.name, range) };
}

async function listFiltered(
  registry: Registry,
  call: DirectoryCall,
  { start_index, count }: ListQuery,
  filter: Filter,
): Promise<Found> {
  const first = start_index - 1;
  const page: DirectoryResource[] = [];
  let total = 0;
  for await (const some of candidates(registry, call, filter)) {
    for (const resource of await matching(registry, call, filter, some)) {
      if (total >= first && page.length < count) page.push(resource);
      total += 1;
    }
  }
  return { total, page };
}

async function* candidates(
  { store: { directory } }: Registry,
  { tenant, type }: DirectoryCall,
  filter: Filter,
): AsyncGenerator<readonly DirectoryResource[]> {
  const key = findKey(type, filter);
  if (key !== undefined) {
    yield await directory.find(tenant, type.name, key);
    return;
  }
  for (let after = ''; ;) {
    const some = await directory.pageAfter(tenant, type.name, { after, limit: SCAN_BATCH });
    const last = some.at(-1);
    if (last === undefined) return;
    yield some;
    after = last.id;
    await nextTurn();
  }
}

async function matching(
  registry: Registry,
  call: DirectoryCall,
  filter: Filter,
  some: readonly DirectoryResource[],
): Promise<DirectoryResource[]> {
  const requestedMembers = call.type.name === 'Group' ? listQueriedMembers(filter) : [];
  const group_ids = some.map(({ id }) => id);
  const memberships =
    requestedMembers.length === 0
      ? []
      : await registry.store.directory.listMemberships(call.tenant, group_ids, requestedMembers);
  const members = Map.groupBy(memberships, ({ group_id }) => group_id);
  return some.filter((resource) => {
    const ids = (members.get(resource.id) ?? []).map(({ user_id }) => user_id);
    return matchesFilter(filter, toDocument(registry, call, resource, ids));
  });
}

async function rejectTooManyMembers(
  { store: { directory } }: Registry,
  { tenant, type }: DirectoryCall,
  { projection }: ListQuery,
  page: readonly DirectoryResource[],
): Promise<void> {
  if (type.name !== 'Group' || page.length < 2 || !includesAttribute(type, 'members', projection))
    return;
  const ids = page.map(({ id }) => id);
  if ((await directory.countMembers(tenant, ids)) <= MAX_MEMBERS) return;
  throw badRequest(
    'tooMany',
    `These groups have more than ${MAX_MEMBERS} members. Use excludedAttributes=members, or request fewer groups.`,
  );
}
