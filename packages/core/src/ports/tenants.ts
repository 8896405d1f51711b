import type { Tenant } from './tenant.ts';

/** Limits of a tenant; zero means unlimited, except for `max_user_layers` (SPEC-33). */
export interface TenantQuota {
  storage_bytes: number;
  search_qps: number;
  materialize_rate: number;
  audit_volume_per_day: number;
  /** Personal layers per user. Zero means the limit of the deployment; a negative number means unlimited. */
  max_user_layers: number;
}

/** Layers whose artifacts can be extended; `visible` means that all readers of the child must see the parent. */
export type ExtendsParents = 'any' | 'visible';

export interface TenantRecord {
  tenant: Tenant;
  /** UUIDv5 of the name (SPEC-34). */
  id: string;
  name: string;
  /** False for a deactivated tenant, whose data is kept. */
  active: boolean;
  quota: TenantQuota;
  /** Null means the setting of the deployment. */
  expose_scope_preview: boolean | null;
  /** Parents that `extends` accepts; null means the setting of the deployment. */
  extends_parents: ExtendsParents | null;
  created_at: string;
}

export interface WatchedTenant {
  tenant: Tenant;
  revision: number;
}

export type NewTenant = Omit<TenantRecord, 'tenant'>;

/** Current usage of a tenant, from counters that writes maintain. */
export interface TenantUsage {
  /** Bytes of all versions and local git repositories. Shared storage counts several times. */
  storage_bytes: number;
  artifact_count: number;
  /** Audit records since midnight UTC. */
  audit_volume_today: number;
}

export interface TenantReads {
  get(tenant: Tenant): Promise<TenantRecord | undefined>;
  /** Finds a tenant by id or name, active or not. */
  find(organization: string): Promise<TenantRecord | undefined>;
  /** Lists all tenants by name, active or not, for operators. */
  list(): Promise<TenantRecord[]>;
  listActive(): Promise<Tenant[]>;
  /** Lists active tenants with a local layer. The cost depends on their number only, because every commit calls it. */
  listWatched(): Promise<WatchedTenant[]>;
  /** Returns the usage on the day of `now`. */
  usage(tenant: Tenant, now: string): Promise<TenantUsage>;
}

export interface TenantWrites extends TenantReads {
  /** Returns a tenant and locks it until the transaction ends. `find` does not lock. */
  get(tenant: Tenant): Promise<TenantRecord | undefined>;
  /**
   * Creates a tenant. Throws if number, id or name is in use. If another process was faster after a `find`, the
   * transaction runs again and finds the tenant.
   */
  create(tenant: NewTenant, number?: Tenant): Promise<TenantRecord>;
  /** Replaces a record except number, id, name and creation time, and increases the revision. */
  replace(record: TenantRecord): Promise<void>;
}
