import type { Tenant } from './tenant.ts';

/** Zero is unlimited, except for `max_user_layers` (SPEC-33). */
export interface TenantQuota {
  storage_bytes: number;
  search_qps: number;
  materialize_rate: number;
  audit_volume_per_day: number;
  /** Per identity. Zero uses the deployment's limit; a negative number means no limit. */
  max_user_layers: number;
}

/** `visible`: only artifacts of layers that everyone who sees the child's layer can also see. */
export type ExtendsParents = 'any' | 'visible';

export interface TenantRecord {
  tenant: Tenant;
  /** UUIDv5 of the name (SPEC-34). */
  id: string;
  name: string;
  /** An inactive tenant does not resolve; its data is kept. */
  active: boolean;
  quota: TenantQuota;
  /** Null uses the setting of the deployment. */
  expose_scope_preview: boolean | null;
  /** Parents that `extends` accepts; null uses the setting of the deployment. */
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
  /** Bytes of all versions and of the copies of git repositories. Shared storage counts several times. */
  storage_bytes: number;
  artifact_count: number;
  /** Audit records since midnight UTC. */
  audit_volume_today: number;
}

export interface TenantReads {
  get(tenant: Tenant): Promise<TenantRecord | undefined>;
  /** Finds an active or inactive tenant by its exact id or name. Needs no tenant number. */
  find(organization: string): Promise<TenantRecord | undefined>;
  /** Lists all tenants by name, active or not, for operators. */
  list(): Promise<TenantRecord[]>;
  listActive(): Promise<Tenant[]>;
  /**
   * Lists active tenants with a local layer. Called after every commit, so its cost depends on
   * their number, not on the number of all tenants.
   */
  listWatched(): Promise<WatchedTenant[]>;
  /** `now` determines the day. */
  usage(tenant: Tenant, now: string): Promise<TenantUsage>;
}

export interface TenantWrites extends TenantReads {
  /** Locks the tenant until the transaction ends. `find` does not lock. */
  get(tenant: Tenant): Promise<TenantRecord | undefined>;
  /**
   * Throws if number, id or name is in use. If the transaction called `find` first and another process
   * was faster, the transaction runs again and finds that tenant.
   */
  create(tenant: NewTenant, number?: Tenant): Promise<TenantRecord>;
  /** Keeps number, id, name and creation time; raises the revision. */
  replace(record: TenantRecord): Promise<void>;
}
