import type {
  DirectoryReads,
  DirectoryResource,
  DirectoryWrites,
  SubjectName,
} from '@catalog/core/ports/directory';
import type { Tenant } from '@catalog/core/ports/tenant';
import { foldName } from '@catalog/core/scim/fold-name';
import { namesGivenUp, subjectNames } from '@catalog/core/scim/subject-names';
import { batches } from './batches.ts';
import type { Queries, Run } from './queries.ts';
import type { Transaction } from './transaction.ts';

/** The columns of a resource, as a statement names them. */
export const DIRECTORY_COLUMNS =
  'kind, id, name, name_key, external_id, active, attributes, created_at, modified_at, version';
const OF_KIND = `SELECT ${DIRECTORY_COLUMNS} FROM directory_resources WHERE tenant = $1 AND kind = $2`;
const GET = `${OF_KIND} AND id = $3`;
const FIND = {
  id: GET,
  name_key: `${OF_KIND} AND name_key = $3`,
  external_id: `${OF_KIND} AND external_id = $3 ORDER BY id`,
  member: `${OF_KIND} AND id IN
    (SELECT group_id FROM directory_members WHERE tenant = $1 AND user_id = $3) ORDER BY id`,
} as const;
const COUNT = 'SELECT count(*) AS found FROM directory_resources WHERE tenant = $1 AND kind = $2';
const PAGE = `${OF_KIND} ORDER BY id OFFSET $3 LIMIT $4`;
const PAGE_AFTER = `${OF_KIND} AND id > $3 ORDER BY id LIMIT $4`;
const LIST_MEMBERS = `SELECT user_id FROM directory_members
  WHERE tenant = $1 AND group_id = $2 ORDER BY user_id`;
const COUNT_MEMBERS = `SELECT count(*) AS found FROM directory_members
  WHERE tenant = $1 AND group_id = ANY ($2)`;
const LIST_MEMBERSHIPS = `SELECT group_id, user_id FROM directory_members
  WHERE tenant = $1 AND group_id = ANY ($2) AND user_id = ANY ($3)`;
const UNKNOWN_USERS = `SELECT wanted AS id FROM unnest($2::text[]) AS wanted WHERE NOT EXISTS (
  SELECT 1 FROM directory_resources WHERE tenant = $1 AND kind = 'User' AND id = wanted)`;
/** Three lookups by key: the user by its names, its groups, and the names that were given up. */
export const STANDING = `WITH found AS MATERIALIZED (
    SELECT id, active FROM directory_resources
      WHERE tenant = $1 AND kind = 'User' AND name_key = ANY ($2)
    UNION SELECT id, active FROM directory_resources
      WHERE tenant = $1 AND kind = 'User' AND external_id = $3)
  SELECT (SELECT bool_and(active) FROM found) AS active,
    ARRAY(SELECT DISTINCT g.name FROM found f
      JOIN directory_members m ON m.tenant = $1 AND m.user_id = f.id
      JOIN directory_resources g ON g.tenant = $1 AND g.kind = 'Group' AND g.id = m.group_id
      ORDER BY g.name) AS groups,
    EXISTS (SELECT 1 FROM directory_given_up WHERE tenant = $1 AND kind = 'name_key' AND name = ANY ($2))
    OR EXISTS (SELECT 1 FROM directory_given_up
      WHERE tenant = $1 AND kind = 'external_id' AND name = $3) AS given_up`;

export function directoryReads(run: Run): DirectoryReads {
  return {
    standing: (tenant, subject, email) =>
      run(tenant, async (queries) => {
        const names = [subject, email].filter((name) => name !== '').map(foldName);
        const row = await queries.row<{
          active: boolean | null;
          groups: string[];
          given_up: boolean;
        }>(STANDING, tenant, names, subject);
        if (row?.active === true) return { state: 'active', groups: row.groups };
        const isNobody = row?.active === false || row?.given_up === true;
        return { state: isNobody ? 'inactive' : 'unknown', groups: [] };
      }),
    get: (tenant, kind, id) =>
      run(tenant, (queries) => queries.row<DirectoryResource>(GET, tenant, kind, id)),
    find: (tenant, kind, { by, value }) =>
      run(tenant, (queries) => queries.rows<DirectoryResource>(FIND[by], tenant, kind, value)),
    count: (tenant, kind) => run(tenant, (queries) => countRows(queries, COUNT, tenant, kind)),
    page: (tenant, kind, { skip, limit }) =>
      run(tenant, (queries) => queries.rows<DirectoryResource>(PAGE, tenant, kind, skip, limit)),
    pageAfter: (tenant, kind, { after, limit }) =>
      run(tenant, (queries) =>
        queries.rows<DirectoryResource>(PAGE_AFTER, tenant, kind, after, limit),
      ),
    listMembers: (tenant, group_id) =>
      run(tenant, async (queries) => {
        const rows = await queries.rows<{ user_id: string }>(LIST_MEMBERS, tenant, group_id);
        return rows.map(({ user_id }) => user_id);
      }),
    countMembers: (tenant, group_ids) =>
      run(tenant, (queries) => countRows(queries, COUNT_MEMBERS, tenant, group_ids)),
    listMemberships: (tenant, group_ids, user_ids) =>
      run(tenant, (queries) => queries.rows(LIST_MEMBERSHIPS, tenant, group_ids, user_ids)),
    listUnknownUsers: (tenant, user_ids) =>
      run(tenant, async (queries) => {
        const rows = await queries.rows<{ id: string }>(UNKNOWN_USERS, tenant, user_ids);
        return rows.map(({ id }) => id);
      }),
  };
}

const PARAMETERS = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11';
const INSERT = `INSERT INTO directory_resources (tenant, ${DIRECTORY_COLUMNS}) VALUES (${PARAMETERS})`;
const UPDATE = `UPDATE directory_resources SET name = $4, name_key = $5, external_id = $6,
    active = $7, attributes = $8, created_at = $9, modified_at = $10, version = $11
  WHERE tenant = $1 AND kind = $2 AND id = $3`;
const REMOVE = 'DELETE FROM directory_resources WHERE tenant = $1 AND kind = $2 AND id = $3';
const REMOVE_MEMBERSHIPS = `DELETE FROM directory_members
  WHERE tenant = $1 AND (group_id = $2 OR user_id = $2)`;
const ADD_MEMBERS = `INSERT INTO directory_members (tenant, group_id, user_id)
  SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`;
const REMOVE_MEMBERS = `DELETE FROM directory_members
  WHERE tenant = $1 AND group_id = $2 AND user_id = ANY ($3)`;
const REMOVE_OTHERS = `DELETE FROM directory_members m WHERE tenant = $1 AND group_id = $2
  AND NOT EXISTS (SELECT 1 FROM unnest($3::text[]) AS kept WHERE kept = m.user_id)`;
const GIVE_UP = `INSERT INTO directory_given_up (tenant, kind, name) VALUES ($1, $2, $3)
  ON CONFLICT DO NOTHING`;
const TAKE_UP = 'DELETE FROM directory_given_up WHERE tenant = $1 AND kind = $2 AND name = $3';

export function directoryWrites(transaction: Transaction): DirectoryWrites {
  const { run } = transaction;
  /** Runs a change, and lets everybody look again where it was one. */
  async function change(
    tenant: Tenant,
    step: (queries: Queries) => Promise<number>,
  ): Promise<number> {
    const changed = await run(tenant, step);
    if (changed > 0) transaction.touchTenant(tenant);
    return changed;
  }
  return {
    ...directoryReads(run),
    async create(tenant, resource) {
      await change(tenant, async (queries) => {
        await takeUpNames(queries, tenant, subjectNames(resource));
        return queries.run(INSERT, tenant, ...directoryParameters(resource));
      });
    },
    async replace(tenant, resource) {
      await change(tenant, async (queries) => {
        const { kind, id } = resource;
        const before = await queries.row<DirectoryResource>(GET, tenant, kind, id);
        if (before === undefined) return 0;
        await giveUpNames(queries, tenant, namesGivenUp(before, resource));
        await takeUpNames(queries, tenant, namesGivenUp(resource, before));
        return queries.run(UPDATE, tenant, ...directoryParameters(resource));
      });
    },
    async remove(tenant, kind, id) {
      const removed = await change(tenant, async (queries) => {
        const before = await queries.row<DirectoryResource>(GET, tenant, kind, id);
        if (before === undefined) return 0;
        await giveUpNames(queries, tenant, subjectNames(before));
        await queries.run(REMOVE_MEMBERSHIPS, tenant, id);
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

async function addMembers(
  queries: Queries,
  tenant: Tenant,
  group_id: string,
  user_ids: readonly string[],
): Promise<number> {
  let added = 0;
  for (const some of batches(user_ids)) {
    added += await queries.run(ADD_MEMBERS, tenant, group_id, some);
  }
  return added;
}

async function giveUpNames(
  queries: Queries,
  tenant: Tenant,
  names: readonly SubjectName[],
): Promise<void> {
  for (const { kind, name } of names) await queries.run(GIVE_UP, tenant, kind, name);
}

async function takeUpNames(
  queries: Queries,
  tenant: Tenant,
  names: readonly SubjectName[],
): Promise<void> {
  for (const { kind, name } of names) await queries.run(TAKE_UP, tenant, kind, name);
}

function directoryParameters(resource: DirectoryResource) {
  return [
    resource.kind,
    resource.id,
    resource.name,
    resource.name_key,
    resource.external_id,
    resource.active,
    JSON.stringify(resource.attributes),
    resource.created_at,
    resource.modified_at,
    resource.version,
  ] as const;
}

async function countRows(
  queries: Queries,
  sql: string,
  tenant: Tenant,
  of: string | readonly string[],
): Promise<number> {
  const row = await queries.row<{ found: number }>(sql, tenant, of);
  return row?.found ?? 0;
}
