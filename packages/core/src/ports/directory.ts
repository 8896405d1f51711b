import type { ScimObject } from '../scim/attribute.ts';
import type { DirectoryKey } from '../scim/plan-filter.ts';
import type { Tenant } from './tenant.ts';

export interface DirectoryStanding {
  /**
   * `unknown`: the directory has no such user, so the token alone decides. `inactive`: deactivated or deleted, so the
   * caller counts as anonymous (SPEC-58).
   */
  state: 'unknown' | 'active' | 'inactive';
  groups: readonly string[];
}

export type DirectoryKind = 'User' | 'Group';

export interface DirectoryResource {
  kind: DirectoryKind;
  id: string;
  /** `userName` of a user, or `displayName` of a group. */
  name: string;
  /** Normalized name for comparisons, unique per kind. */
  name_key: string;
  external_id: string | null;
  active: boolean;
  /** Attributes, with the names of RFC 7643. */
  attributes: ScimObject;
  created_at: string;
  modified_at: string;
  version: number;
}

export interface Membership {
  group_id: string;
  user_id: string;
}

/**
 * Name of a subject. A former name is kept, so that its subject counts as anonymous until the directory sends it again.
 */
export interface SubjectName {
  kind: 'name_key' | 'external_id';
  name: string;
}

export interface DirectoryReads {
  /**
   * Returns the state of the user whose `userName` or `externalId` is the subject, or whose `userName` is the e-mail
   * address. `userName` is compared case-insensitively.
   */
  standing(tenant: Tenant, subject: string, email: string): Promise<DirectoryStanding>;
  get(tenant: Tenant, kind: DirectoryKind, id: string): Promise<DirectoryResource | undefined>;
  /** Finds resources by a key; at most one for an id or a name. */
  find(tenant: Tenant, kind: DirectoryKind, key: DirectoryKey): Promise<DirectoryResource[]>;
  count(tenant: Tenant, kind: DirectoryKind): Promise<number>;
  page(
    tenant: Tenant,
    kind: DirectoryKind,
    range: { skip: number; limit: number },
  ): Promise<DirectoryResource[]>;
  pageAfter(
    tenant: Tenant,
    kind: DirectoryKind,
    range: { after: string; limit: number },
  ): Promise<DirectoryResource[]>;
  /** Lists the ids of members in order. */
  listMembers(tenant: Tenant, group_id: string): Promise<string[]>;
  countMembers(tenant: Tenant, group_ids: readonly string[]): Promise<number>;
  listMemberships(
    tenant: Tenant,
    group_ids: readonly string[],
    user_ids: readonly string[],
  ): Promise<Membership[]>;
  listUnknownUsers(tenant: Tenant, user_ids: readonly string[]): Promise<string[]>;
}

/** Writes to the directory. Each change increases the tenant's revision. */
export interface DirectoryWrites extends DirectoryReads {
  /** Creates a resource. A former name that is used again becomes active. */
  create(tenant: Tenant, resource: DirectoryResource): Promise<void>;
  /** Replaces a resource. Previous names become former names. */
  replace(tenant: Tenant, resource: DirectoryResource): Promise<void>;
  /**
   * Removes a resource with its memberships. Names of a user become former names. Returns false if it did not exist.
   */
  remove(tenant: Tenant, kind: DirectoryKind, id: string): Promise<boolean>;
  /** Adds members and returns the number of new ones. Other members are not touched. */
  addMembers(tenant: Tenant, group_id: string, user_ids: readonly string[]): Promise<number>;
  removeMembers(tenant: Tenant, group_id: string, user_ids: readonly string[]): Promise<number>;
  setMembers(tenant: Tenant, group_id: string, user_ids: readonly string[]): Promise<number>;
}
