import type { Tenant } from './tenant.ts';

/** What a tenant may use. Zero is unlimited, but for `max_user_layers` (SPEC-33). */
export interface TenantQuota {
  storage_bytes: number;
  /** Searches a second. */
  search_qps: number;
  /** Artifacts loaded a second. */
  materialize_rate: number;
  audit_volume_per_day: number;
  /** Personal layers of one identity: zero is the deployment's cap, a negative number none. */
  max_user_layers: number;
}

/** `visible`: only artifacts of layers that everyone who sees the child's layer sees too. */
export type ExtendsParents = 'any' | 'visible';

/** A tenant as the registry keeps it. */
export interface TenantRecord {
  tenant: Tenant;
  /** UUIDv5 of the name (SPEC-34). */
  id: string;
  name: string;
  /** An inactive tenant does not resolve; its data stays. */
  active: boolean;
  quota: TenantQuota;
  /** Null leaves it to the deployment. */
  expose_scope_preview: boolean | null;
  /** Which parents `extends` accepts; null leaves it to the deployment. */
  extends_parents: ExtendsParents | null;
  created_at: string;
}

/** A tenant with layers that lie in folders, which are watched. */
export interface WatchedTenant {
  tenant: Tenant;
  /** As `layers.revision` answers it. */
  revision: number;
}

/** A tenant that is about to get its number. */
export type NewTenant = Omit<TenantRecord, 'tenant'>;

/** What a tenant uses now; kept by the writes, never counted by a read. */
export interface TenantUsage {
  /**
   * Bytes of every version it holds, counted per version: what is shared below is nobody's to see; and
   * of the copies of its git repositories.
   */
  storage_bytes: number;
  /** Artifacts its live layers serve. */
  artifact_count: number;
  /** Audit records since midnight UTC. */
  audit_volume_today: number;
}

export interface TenantReads {
  /** Undefined for a number nobody was given. */
  get(tenant: Tenant): Promise<TenantRecord | undefined>;
  /** By id or by name, exactly; active or not. One of the questions that know no tenant. */
  find(organization: string): Promise<TenantRecord | undefined>;
  /** Every tenant by name, active or not; for operators. */
  list(): Promise<TenantRecord[]>;
  /** The numbers of the active tenants; for what the registry does by itself in each. */
  listActive(): Promise<Tenant[]>;
  /**
   * The tenants that have a layer in a folder and are not inactive. Asked after every commit, so its
   * cost follows how many they are, not how many tenants there are.
   */
  listWatched(): Promise<WatchedTenant[]>;
  /** `now` says which day it is. */
  usage(tenant: Tenant, now: string): Promise<TenantUsage>;
}

export interface TenantWrites extends TenantReads {
  /** What it answers stays true until the transaction ends; `find` only looks. */
  get(tenant: Tenant): Promise<TenantRecord | undefined>;
  /**
   * Gives the next number; `number` where it is fixed, as that of the only tenant is. Throws where
   * number, id or name is another's. Whoever asks `find` first in the same transaction is run again
   * when another process was faster, and finds what that one created.
   */
  create(tenant: NewTenant, number?: Tenant): Promise<TenantRecord>;
  /** Replaces the record of `record.tenant` but for number, id, name and age; raises its revision. */
  replace(record: TenantRecord): Promise<void>;
}
