import type { ScimObject } from '../scim/attribute.ts';
import type { DirectoryKey } from '../scim/plan-filter.ts';
import type { Tenant } from './tenant.ts';

/** What the directory that pushes users and groups knows of a caller. */
export interface DirectoryStanding {
  /**
   * `unknown`: never pushed, so the token alone decides. `inactive`: deactivated or deleted, so the
   * caller is nobody, whatever token it still holds (SPEC-58).
   */
  state: 'unknown' | 'active' | 'inactive';
  /** Display names of the groups it is a member of. */
  groups: readonly string[];
}

export type DirectoryKind = 'User' | 'Group';

/** A user or a group, without its members. */
export interface DirectoryResource {
  kind: DirectoryKind;
  id: string;
  /** The `userName` of a user, the `displayName` of a group. */
  name: string;
  /** The name as names are compared; one resource of a kind has it. */
  name_key: string;
  external_id: string | null;
  /** False for a user who is nobody for now. */
  active: boolean;
  /** Everything that was pushed, as RFC 7643 names it. */
  attributes: ScimObject;
  created_at: string;
  modified_at: string;
  /** Counts the changes, those of the members too. */
  version: number;
}

/** That a user is in a group. */
export interface Membership {
  group_id: string;
  user_id: string;
}

/**
 * A name that a subject may come with. One that a user had and gave up is kept: who still comes with it
 * is nobody until it is pushed again.
 */
export interface SubjectName {
  kind: 'name_key' | 'external_id';
  name: string;
}

export interface DirectoryReads {
  /**
   * The user whose `userName` or `externalId` is the subject, or whose `userName` is the e-mail
   * address; `userName` in any case, the rest exactly. Costs the same however many users there are.
   */
  standing(tenant: Tenant, subject: string, email: string): Promise<DirectoryStanding>;
  get(tenant: Tenant, kind: DirectoryKind, id: string): Promise<DirectoryResource | undefined>;
  /** Those that have a key: one at most for an id or a name. By id. */
  find(tenant: Tenant, kind: DirectoryKind, key: DirectoryKey): Promise<DirectoryResource[]>;
  count(tenant: Tenant, kind: DirectoryKind): Promise<number>;
  /** Some of them by id, after so many others. */
  page(
    tenant: Tenant,
    kind: DirectoryKind,
    range: { skip: number; limit: number },
  ): Promise<DirectoryResource[]>;
  /** Some of them by id, after that id. */
  pageAfter(
    tenant: Tenant,
    kind: DirectoryKind,
    range: { after: string; limit: number },
  ): Promise<DirectoryResource[]>;
  /** The ids of a group's members, in their order. */
  listMembers(tenant: Tenant, group_id: string): Promise<string[]>;
  /** How many members these groups have together. */
  countMembers(tenant: Tenant, group_ids: readonly string[]): Promise<number>;
  /** Which of these users are in which of these groups. */
  listMemberships(
    tenant: Tenant,
    group_ids: readonly string[],
    user_ids: readonly string[],
  ): Promise<Membership[]>;
  /** Those of the ids that no user has. */
  listUnknownUsers(tenant: Tenant, user_ids: readonly string[]): Promise<string[]>;
}

/** Every change raises the tenant's revision. */
export interface DirectoryWrites extends DirectoryReads {
  /** A name that was given up and comes back is somebody's again. */
  create(tenant: Tenant, resource: DirectoryResource): Promise<void>;
  /** Replaces the one of the same id. The names a user had before and has no more are given up. */
  replace(tenant: Tenant, resource: DirectoryResource): Promise<void>;
  /** With its memberships. The names of a user are given up. Answers whether it was there. */
  remove(tenant: Tenant, kind: DirectoryKind, id: string): Promise<boolean>;
  /** Answers how many were no members before. Touches the rows of these alone. */
  addMembers(tenant: Tenant, group_id: string, user_ids: readonly string[]): Promise<number>;
  /** Answers how many were members. Touches the rows of these alone. */
  removeMembers(tenant: Tenant, group_id: string, user_ids: readonly string[]): Promise<number>;
  /** Makes these and no others the members; answers how many came and went. */
  setMembers(tenant: Tenant, group_id: string, user_ids: readonly string[]): Promise<number>;
}
