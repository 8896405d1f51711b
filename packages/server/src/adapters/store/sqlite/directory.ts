import type {
  DirectoryReads,
  DirectoryResource,
  DirectoryStanding,
  DirectoryWrites,
  Membership,
  SubjectName,
} from '@catalog/core/ports/directory';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { ScimObject } from '@catalog/core/scim/attribute';
import { foldName } from '@catalog/core/scim/fold-name';
import { namesGivenUp, subjectNames } from '@catalog/core/scim/subject-names';
import type { Connection, Run } from './connection.ts';
import { readJson, type JsonText } from './json-column.ts';
import { LIMIT } from './limit.ts';
import type { Transaction } from './transaction.ts';

export interface DirectoryRow extends Omit<DirectoryResource, 'active' | 'attributes'> {
  tenant: Tenant;
  active: number;
  attributes: JsonText<ScimObject>;
}

/** Named, because without statistics SQLite takes it for no better than walking all of a kind. */
const BY_EXTERNAL_ID = 'directory_resources INDEXED BY directory_external_ids WHERE tenant = ?';
const OF_KIND = 'SELECT * FROM directory_resources WHERE tenant = ? AND kind = ?';
export const FIND = {
  id: `${OF_KIND} AND id = ?`,
  name_key: `${OF_KIND} AND name_key = ?`,
  external_id: `SELECT * FROM ${BY_EXTERNAL_ID} AND kind = ? AND external_id = ? ORDER BY id`,
  member: `SELECT r.* FROM directory_members m CROSS JOIN directory_resources r
    ON r.tenant = m.tenant AND r.id = m.group_id
    WHERE m.tenant = ? AND r.kind = ? AND m.user_id = ? ORDER BY r.id`,
} as const;
const COUNT = 'SELECT count(*) AS found FROM directory_resources WHERE tenant = ? AND kind = ?';
const PAGE = `${OF_KIND} ORDER BY id ${LIMIT} OFFSET ? + 0`;
export const PAGE_AFTER = `${OF_KIND} AND id > ? ORDER BY id ${LIMIT}`;
const LIST_MEMBERS = `SELECT user_id FROM directory_members
  WHERE tenant = ? AND group_id = ? ORDER BY user_id`;
const COUNT_MEMBERS = `SELECT count(*) AS found FROM directory_members
  WHERE tenant = ? AND group_id IN (SELECT value FROM json_each(?))`;
const LIST_MEMBERSHIPS = `SELECT group_id, user_id FROM directory_members WHERE tenant = ?
  AND group_id IN (SELECT value FROM json_each(?)) AND user_id IN (SELECT value FROM json_each(?))`;
const UNKNOWN_USERS = `SELECT value AS id FROM json_each(?2) WHERE NOT EXISTS (
  SELECT 1 FROM directory_resources r WHERE r.tenant = ?1 AND r.kind = 'User' AND r.id = value)`;
/** One statement for each index: joined, SQLite would walk all users in the order of their ids. */
export const STANDING_BY_NAME = `SELECT id, active FROM directory_resources
  WHERE tenant = ? AND kind = 'User' AND name_key = ?`;
export const STANDING_BY_EXTERNAL_ID = `SELECT id, active FROM ${BY_EXTERNAL_ID}
  AND kind = 'User' AND external_id = ?`;
export const STANDING_GROUPS = `SELECT g.name FROM directory_members m CROSS JOIN directory_resources g
    ON g.tenant = m.tenant AND g.kind = 'Group' AND g.id = m.group_id
  WHERE m.tenant = ? AND m.user_id = ?`;
export const IS_GIVEN_UP =
  'SELECT 1 FROM directory_given_up WHERE tenant = ? AND kind = ? AND name = ?';

export function directoryReads(run: Run): DirectoryReads {
  return {
    standing: (tenant, subject, email) =>
      run((connection) => getStanding(connection, tenant, subject, email)),
    get: (tenant, kind, id) =>
      run((connection) => {
        const row = connection.statement<DirectoryRow>(FIND.id).get(tenant, kind, id);
        return row && toResource(row);
      }),
    find: (tenant, kind, { by, value }) =>
      run((connection) =>
        connection.statement<DirectoryRow>(FIND[by]).all(tenant, kind, value).map(toResource),
      ),
    count: (tenant, kind) => run((connection) => countRows(connection, COUNT, tenant, kind)),
    page: (tenant, kind, { skip, limit }) =>
      run((connection) =>
        connection.statement<DirectoryRow>(PAGE).all(tenant, kind, limit, skip).map(toResource),
      ),
    pageAfter: (tenant, kind, { after, limit }) =>
      run((connection) =>
        connection
          .statement<DirectoryRow>(PAGE_AFTER)
          .all(tenant, kind, after, limit)
          .map(toResource),
      ),
    listMembers: (tenant, group_id) =>
      run((connection) => listMembers(connection, tenant, group_id)),
    countMembers: (tenant, group_ids) =>
      run((connection) => countRows(connection, COUNT_MEMBERS, tenant, JSON.stringify(group_ids))),
    listMemberships: (tenant, group_ids, user_ids) =>
      run((connection) =>
        connection
          .statement<Membership>(LIST_MEMBERSHIPS)
          .all(tenant, JSON.stringify(group_ids), JSON.stringify(user_ids)),
      ),
    listUnknownUsers: (tenant, user_ids) =>
      run((connection) =>
        connection
          .statement<{ id: string }>(UNKNOWN_USERS)
          .all(tenant, JSON.stringify(user_ids))
          .map(({ id }) => id),
      ),
  };
}

/** Lookups by key: the user by its names, its groups, or the names that were given up. */
function getStanding(
  connection: Connection,
  tenant: Tenant,
  subject: string,
  email: string,
): DirectoryStanding {
  const names = new Set([subject, email].filter((name) => name !== '').map(foldName));
  const users = new Map<string, number>();
  const byName = connection.statement<StandingRow>(STANDING_BY_NAME);
  const byExternalId = connection.statement<StandingRow>(STANDING_BY_EXTERNAL_ID);
  for (const name of names) addUsers(users, byName.all(tenant, name));
  addUsers(users, byExternalId.all(tenant, subject));
  if (users.size === 0) {
    const isGivenUp = connection.statement(IS_GIVEN_UP);
    const isNobody =
      isGivenUp.get(tenant, 'external_id', subject) !== undefined ||
      [...names].some((name) => isGivenUp.get(tenant, 'name_key', name) !== undefined);
    return { state: isNobody ? 'inactive' : 'unknown', groups: [] };
  }
  if ([...users.values()].includes(0)) return { state: 'inactive', groups: [] };
  const groupsOf = connection.statement<{ name: string }>(STANDING_GROUPS);
  const groups = [...users.keys()].flatMap((id) =>
    groupsOf.all(tenant, id).map((group) => group.name),
  );
  return { state: 'active', groups: [...new Set(groups)].toSorted() };
}

interface StandingRow {
  id: string;
  active: number;
}

function addUsers(users: Map<string, number>, rows: readonly StandingRow[]): void {
  for (const { id, active } of rows) users.set(id, active);
}

const INSERT = `INSERT INTO directory_resources (tenant, kind, id, name, name_key, external_id, active,
    attributes, created_at, modified_at, version)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const REMOVE = 'DELETE FROM directory_resources WHERE tenant = ? AND kind = ? AND id = ?';
const REMOVE_OF_GROUP = 'DELETE FROM directory_members WHERE tenant = ? AND group_id = ?';
const REMOVE_OF_USER = 'DELETE FROM directory_members WHERE tenant = ? AND user_id = ?';
const ADD_MEMBERS = `INSERT INTO directory_members (tenant, group_id, user_id)
  SELECT ?, ?, value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`;
const REMOVE_MEMBERS = `DELETE FROM directory_members
  WHERE tenant = ? AND group_id = ? AND user_id IN (SELECT value FROM json_each(?))`;
const REMOVE_OTHERS = `DELETE FROM directory_members
  WHERE tenant = ? AND group_id = ? AND user_id NOT IN (SELECT value FROM json_each(?))`;
const GIVE_UP = `INSERT INTO directory_given_up (tenant, kind, name) VALUES (?, ?, ?)
  ON CONFLICT DO NOTHING`;
const TAKE_UP = 'DELETE FROM directory_given_up WHERE tenant = ? AND kind = ? AND name = ?';

export function directoryWrites(transaction: Transaction): DirectoryWrites {
  const { run } = transaction;
  /** Runs a change, and lets everybody look again where it was one. */
  async function change(tenant: Tenant, step: (connection: Connection) => number): Promise<number> {
    const changed = await run(step);
    if (changed > 0) transaction.touchTenant(tenant);
    return changed;
  }
  return {
    ...directoryReads(run),
    async create(tenant, resource) {
      await change(tenant, (connection) => {
        takeUpNames(connection, tenant, subjectNames(resource));
        insertResource(connection, tenant, resource);
        return 1;
      });
    },
    async replace(tenant, resource) {
      await change(tenant, (connection) => {
        const { kind, id } = resource;
        const before = connection.statement<DirectoryRow>(FIND.id).get(tenant, kind, id);
        if (before === undefined) return 0;
        giveUpNames(connection, tenant, namesGivenUp(toResource(before), resource));
        takeUpNames(connection, tenant, namesGivenUp(resource, toResource(before)));
        connection.statement(REMOVE).run(tenant, kind, id);
        insertResource(connection, tenant, resource);
        return 1;
      });
    },
    async remove(tenant, kind, id) {
      const removed = await change(tenant, (connection) => {
        const before = connection.statement<DirectoryRow>(FIND.id).get(tenant, kind, id);
        if (before === undefined) return 0;
        giveUpNames(connection, tenant, subjectNames(toResource(before)));
        const memberships = kind === 'User' ? REMOVE_OF_USER : REMOVE_OF_GROUP;
        connection.statement(memberships).run(tenant, id);
        connection.statement(REMOVE).run(tenant, kind, id);
        return 1;
      });
      return removed > 0;
    },
    addMembers: (tenant, group_id, user_ids) =>
      change(tenant, (connection) =>
        changeMembers(connection, ADD_MEMBERS, tenant, group_id, user_ids),
      ),
    removeMembers: (tenant, group_id, user_ids) =>
      change(tenant, (connection) =>
        changeMembers(connection, REMOVE_MEMBERS, tenant, group_id, user_ids),
      ),
    setMembers: (tenant, group_id, user_ids) =>
      change(
        tenant,
        (connection) =>
          changeMembers(connection, REMOVE_OTHERS, tenant, group_id, user_ids) +
          changeMembers(connection, ADD_MEMBERS, tenant, group_id, user_ids),
      ),
  };
}

function changeMembers(
  connection: Connection,
  sql: string,
  tenant: Tenant,
  group_id: string,
  user_ids: readonly string[],
): number {
  const { changes } = connection.statement(sql).run(tenant, group_id, JSON.stringify(user_ids));
  return Number(changes);
}

function giveUpNames(connection: Connection, tenant: Tenant, names: readonly SubjectName[]): void {
  for (const { kind, name } of names) connection.statement(GIVE_UP).run(tenant, kind, name);
}

function takeUpNames(connection: Connection, tenant: Tenant, names: readonly SubjectName[]): void {
  for (const { kind, name } of names) connection.statement(TAKE_UP).run(tenant, kind, name);
}

export function insertResource(
  connection: Connection,
  tenant: Tenant,
  resource: DirectoryResource,
): void {
  const { kind, id, name, name_key, external_id, created_at, modified_at, version } = resource;
  const attributes = JSON.stringify(resource.attributes);
  const active = Number(resource.active);
  connection
    .statement(INSERT)
    .run(
      tenant,
      kind,
      id,
      name,
      name_key,
      external_id,
      active,
      attributes,
      created_at,
      modified_at,
      version,
    );
}

export function toResource(row: DirectoryRow): DirectoryResource {
  const { kind, id, name, name_key, external_id, created_at, modified_at, version } = row;
  const attributes = readJson(row.attributes);
  const active = row.active === 1;
  return {
    kind,
    id,
    name,
    name_key,
    external_id,
    active,
    attributes,
    created_at,
    modified_at,
    version,
  };
}

function listMembers(connection: Connection, tenant: Tenant, group_id: string): string[] {
  return connection
    .statement<{ user_id: string }>(LIST_MEMBERS)
    .all(tenant, group_id)
    .map(({ user_id }) => user_id);
}

function countRows(connection: Connection, sql: string, tenant: Tenant, of: string): number {
  return connection.statement<{ found: number }>(sql).get(tenant, of)?.found ?? 0;
}
