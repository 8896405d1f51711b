import type {
  DirectoryReads,
  DirectoryResource,
  DirectoryWrites,
  Membership,
  SubjectName,
} from '@catalog/core/ports/directory';
import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type { Tenant } from '@catalog/core/ports/tenant';
import { foldName } from '@catalog/core/scim/fold-name';
import { listFormerNames, subjectNames } from '@catalog/core/scim/subject-names';
import type { Dialect } from './dialect.ts';
import type { Parameter } from './parameter.ts';
import type { Queries, Reads, Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { columnNames, insertInto, parametersOf, plainTable, readRow } from './table.ts';

type ResourceRow = PlainRows['directory_resources'];

export const RESOURCES = plainTable('directory_resources');
const MEMBERS = plainTable('directory_members');
const GIVEN_UP = plainTable('directory_given_up');

const OF_KIND = `SELECT ${columnNames(RESOURCES)} FROM directory_resources WHERE tenant = $1 AND kind = $2`;
const GET: Sql<ResourceRow> = `${OF_KIND} AND id = $3`;
const COUNT = 'SELECT count(*) AS found FROM directory_resources WHERE tenant = $1 AND kind = $2';
const PAGE = `${OF_KIND} ORDER BY id LIMIT $4 OFFSET $3`;
export const PAGE_AFTER = `${OF_KIND} AND id > $3 ORDER BY id LIMIT $4`;
const LIST_MEMBERS: Sql<{ user_id: string }> = `SELECT user_id FROM directory_members
  WHERE tenant = $1 AND group_id = $2 ORDER BY user_id`;
const COUNT_MEMBERS = `SELECT count(*) AS found FROM directory_members
  WHERE tenant = $1 AND group_id = ANY ($2)`;
const LIST_MEMBERSHIPS: Sql<Membership> = `SELECT group_id, user_id FROM directory_members
  WHERE tenant = $1 AND group_id = ANY ($2) AND user_id = ANY ($3)`;
const KNOWN_USERS: Sql<{ id: string }> = `SELECT id FROM directory_resources
  WHERE tenant = $1 AND kind = 'User' AND id = ANY ($2)`;

export function directoryReads(reads: Reads, dialect: Dialect): DirectoryReads {
  const { run } = reads;
  const find = findStatements(dialect);
  return {
    standing(tenant, subject, email) {
      const names = [subject, email].filter((name) => name !== '').map(foldName);
      return dialect.getStanding(reads, tenant, [...new Set(names)], subject);
    },
    get: (tenant, kind, id) => run(tenant, (queries) => getResource(queries, tenant, kind, id)),
    find: (tenant, kind, { by, value }) =>
      run(tenant, (queries) => listResources(queries, find[by], tenant, kind, value)),
    count: (tenant, kind) => run(tenant, (queries) => countRows(queries, COUNT, tenant, kind)),
    page: (tenant, kind, { skip, limit }) =>
      run(tenant, (queries) => listResources(queries, PAGE, tenant, kind, skip, limit)),
    pageAfter: (tenant, kind, { after, limit }) =>
      run(tenant, (queries) => listResources(queries, PAGE_AFTER, tenant, kind, after, limit)),
    listMembers: (tenant, group_id) =>
      run(tenant, async (queries) => {
        const rows = await queries.rows(LIST_MEMBERS, tenant, group_id);
        return rows.map(({ user_id }) => user_id);
      }),
    countMembers: (tenant, group_ids) =>
      run(tenant, (queries) => countRows(queries, COUNT_MEMBERS, tenant, group_ids)),
    listMemberships: (tenant, group_ids, user_ids) =>
      run(tenant, (queries) => queries.rows(LIST_MEMBERSHIPS, tenant, group_ids, user_ids)),
    listUnknownUsers: (tenant, user_ids) =>
      run(tenant, async (queries) => {
        const rows = await queries.rows(KNOWN_USERS, tenant, user_ids);
        const known = new Set(rows.map(({ id }) => id));
        return user_ids.filter((id) => !known.has(id));
      }),
  };
}

export function findStatements({ FIND_BY_EXTERNAL_ID, FIND_BY_MEMBER }: Dialect) {
  return {
    id: GET,
    name_key: `${OF_KIND} AND name_key = $3`,
    external_id: FIND_BY_EXTERNAL_ID,
    member: FIND_BY_MEMBER,
  };
}

const INSERT = insertInto(RESOURCES);
const UPDATE = `UPDATE directory_resources SET name = $4, name_key = $5, external_id = $6,
    active = $7, attributes = $8, created_at = $9, modified_at = $10, version = $11
  WHERE tenant = $1 AND kind = $2 AND id = $3`;
const REMOVE = 'DELETE FROM directory_resources WHERE tenant = $1 AND kind = $2 AND id = $3';
const REMOVE_OF_GROUP = 'DELETE FROM directory_members WHERE tenant = $1 AND group_id = $2';
const REMOVE_OF_USER = 'DELETE FROM directory_members WHERE tenant = $1 AND user_id = $2';
const REMOVE_MEMBERS = `DELETE FROM directory_members
  WHERE tenant = $1 AND group_id = $2 AND user_id = ANY ($3)`;
const REMOVE_OTHERS = `DELETE FROM directory_members WHERE tenant = $1 AND group_id = $2
  AND NOT (user_id = ANY ($3))`;
const TAKE_UP = 'DELETE FROM directory_given_up WHERE tenant = $1 AND kind = $2 AND name = $3';

export function directoryWrites(transaction: Transaction, dialect: Dialect): DirectoryWrites {
  const { run } = transaction;
  async function change(
    tenant: Tenant,
    step: (queries: Queries) => Promise<number>,
  ): Promise<number> {
    const changed = await run(tenant, step);
    if (changed > 0) transaction.touchTenant(tenant);
    return changed;
  }
  return {
    ...directoryReads({ run, together: run }, dialect),
    async create(tenant, resource) {
      await change(tenant, async (queries) => {
        await takeUpNames(queries, tenant, subjectNames(resource));
        return queries.run(INSERT, ...parametersOf(RESOURCES, { tenant, ...resource }));
      });
    },
    async replace(tenant, resource) {
      await change(tenant, async (queries) => {
        const { kind, id } = resource;
        const before = await getResource(queries, tenant, kind, id);
        if (before === undefined) return 0;
        await giveUpNames(queries, tenant, listFormerNames(before, resource));
        await takeUpNames(queries, tenant, listFormerNames(resource, before));
        return queries.run(UPDATE, ...parametersOf(RESOURCES, { tenant, ...resource }));
      });
    },
    async remove(tenant, kind, id) {
      const removed = await change(tenant, async (queries) => {
        const before = await getResource(queries, tenant, kind, id);
        if (before === undefined) return 0;
        await giveUpNames(queries, tenant, subjectNames(before));
        await queries.run(kind === 'User' ? REMOVE_OF_USER : REMOVE_OF_GROUP, tenant, id);
        return queries.run(REMOVE, tenant, kind, id);
      });
      return removed > 0;
    },
    addMembers: (tenant, group_id, user_ids) =>
      change(tenant, (queries) => addMembers(queries, tenant, group_id, user_ids)),
    removeMembers: (tenant, group_id, user_ids) =>
      change(tenant, (queries) => queries.run(REMOVE_MEMBERS, tenant, group_id, user_ids)),
    setMembers: (tenant, group_id, user_ids) =>
      change(tenant, async (queries) => {
        const gone = await queries.run(REMOVE_OTHERS, tenant, group_id, user_ids);
        return gone + (await addMembers(queries, tenant, group_id, user_ids));
      }),
  };
}

function addMembers(
  queries: Queries,
  tenant: Tenant,
  group_id: string,
  user_ids: readonly string[],
): Promise<number> {
  const rows = user_ids.map((user_id) => ({ tenant, group_id, user_id }));
  return queries.insert(MEMBERS, rows, 'ON CONFLICT DO NOTHING');
}

async function giveUpNames(
  queries: Queries,
  tenant: Tenant,
  names: readonly SubjectName[],
): Promise<void> {
  const rows = names.map(({ kind, name }) => ({ tenant, kind, name }));
  await queries.insert(GIVEN_UP, rows, 'ON CONFLICT DO NOTHING');
}

async function takeUpNames(
  queries: Queries,
  tenant: Tenant,
  names: readonly SubjectName[],
): Promise<void> {
  for (const { kind, name } of names) await queries.run(TAKE_UP, tenant, kind, name);
}

async function getResource(
  queries: Queries,
  tenant: Tenant,
  kind: string,
  id: string,
): Promise<DirectoryResource | undefined> {
  const row = await queries.row(GET, tenant, kind, id);
  return row && toResource(row);
}

async function listResources(
  queries: Queries,
  sql: Sql<ResourceRow>,
  ...parameters: Parameter[]
): Promise<DirectoryResource[]> {
  const rows = await queries.rows(sql, ...parameters);
  return rows.map(toResource);
}

function toResource(row: ResourceRow): DirectoryResource {
  const { tenant: _, ...resource } = readRow(RESOURCES, row);
  return resource;
}

async function countRows(
  queries: Queries,
  sql: Sql<{ found: number }>,
  tenant: Tenant,
  of: string | readonly string[],
): Promise<number> {
  const row = await queries.row(sql, tenant, of);
  return row?.found ?? 0;
}
