import type { DirectoryStanding } from '@catalog/core/ports/directory';
import type { DispatchReads } from '@catalog/core/ports/dispatches';
import type { StoreIdentity } from '@catalog/core/ports/identity';
import type { JobReads } from '@catalog/core/ports/jobs';
import type { SessionChoice } from '@catalog/core/ports/sessions';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { TenantUsage, WatchedTenant } from '@catalog/core/ports/tenants';
import type { Queries, Reads } from './queries.ts';
import type { Sql } from './sql.ts';
import type { TenantRow } from './tenant-rows.ts';

/**
 * What the shared parts of the store need from each engine: the statements whose SQL differs. Across
 * tenants, PostgreSQL has a function for each, because row-level security hides the rows themselves.
 */
export interface Dialect {
  /** Returns `tenant, id` of the layer with the webhook key `$1`. */
  TENANT_OF_WEBHOOK: Sql<{ tenant: Tenant; id: string }>;
  /** Moves the ledger of tenant `$1` and layer id `$2` to the id `$3` of a replaced layer. */
  SET_LEDGER_ASIDE: string;
  /** Returns `tenant` of the tenant whose id or name is `$1`. */
  TENANT_OF_ORGANIZATION: Sql<{ tenant: Tenant }>;
  /** Returns every tenant's record, ordered by name. */
  EVERY_TENANT: Sql<TenantRow>;
  /** Returns `tenant` of each active tenant. */
  ACTIVE_TENANTS: Sql<{ tenant: Tenant }>;
  /** Returns `tenant, revision` of each active tenant with a local layer. */
  WATCHED_TENANTS: Sql<WatchedTenant>;
  /** Returns what tenant `$1` uses, on the day of `$2`. */
  TENANT_USAGE: Sql<TenantUsage>;
  /** Adds a tenant, with the next number unless one is given; throws if its number, id or name exists. */
  createTenant(
    queries: Queries,
    record: Omit<TenantRow, 'tenant'>,
    number: Tenant | undefined,
  ): Promise<Tenant>;

  /** Returns the standing of the user with one of the names or the external id. */
  getStanding(
    reads: Reads,
    tenant: Tenant,
    names: readonly string[],
    external_id: string,
  ): Promise<DirectoryStanding>;
  /** Returns resources of tenant `$1` and kind `$2` by external id `$3`, ordered by id. */
  FIND_BY_EXTERNAL_ID: string;
  /** Returns resources of tenant `$1` and kind `$2` that user `$3` is a member of, ordered by id. */
  FIND_BY_MEMBER: string;

  /** Returns `events`, the number of events in the outbox of all tenants. */
  COUNT_EVENTS: Sql<{ events: number }>;
  /** Removes up to `limit` deliveries received before a time, and returns how many. */
  pruneDeliveries(queries: Queries, before: string, limit: number): Promise<number>;

  /** Returns the choice of tenant `$1`, subject `$2`, session `$3`, id `$4` if it expires after `$5`. */
  GET_CHOICE: Sql<SessionChoice>;
  /** Stores a choice unless an unexpired one exists, and returns its `anonymous_number`. */
  REMEMBER_CHOICE: Sql<{ anonymous_number: number | null }>;
  /** Removes the anonymous choices of tenant `$1` up to number `$2`. */
  DROP_OLDEST_CHOICES: string;
  /** Finds a choice of a subject after a number of others. */
  HAS_CHOICE_AFTER: string;
  /** Keeps a number of choices of a subject, those that expire last. */
  DROP_SUBJECT_CHOICES: string;
  /** Removes up to `limit` expired choices, and returns how many. */
  pruneChoices(queries: Queries, now: string, limit: number): Promise<number>;

  /**
   * Claims the next job for worker `$1` at `$2` until `$3` with progress `$4`, within the lanes of an owner
   * (`$5`), a tenant (`$6`) and all personal layers (`$7`); returns `tenant, job, fence`.
   */
  CLAIM_JOB: Sql<{ tenant: Tenant; job: string; fence: number }>;
  /** Ends the leases of worker `$1`. */
  END_LEASES: string;
  /** Returns `tenant` of each active tenant with jobs that failed after `$1`. */
  FAILED_TENANTS: Sql<{ tenant: Tenant }>;
  /** Returns `worker` of each running job. */
  JOB_WORKERS: Sql<{ worker: string }>;
  /** Returns `queued, running, oldest_created_at` of the jobs of active tenants. */
  JOB_DEPTH: Sql<Awaited<ReturnType<JobReads['depth']>>>;

  /** Returns `tenant, receiver` of each receiver with events to dispatch or dispatches to send at `$1`. */
  RECEIVERS_DUE: Sql<{ tenant: Tenant; receiver: string }>;
  /** Returns `worker` of each claimed dispatch. */
  DISPATCH_WORKERS: Sql<{ worker: string }>;
  /** Makes the dispatches that worker `$1` claimed due. */
  END_CLAIMS: string;
  /** Returns `pending, oldest_created_at, disabled_receivers` of all tenants. */
  DISPATCH_DEPTH: Sql<Awaited<ReturnType<DispatchReads['depth']>>>;
  /** Ends claims of tenant `$1` and receiver `$2` with the results in the JSON list `$3`. */
  FINISH_DISPATCHES: string;

  /** Returns `empty`: whether nothing was ever stored. */
  STORE_IS_EMPTY: Sql<{ empty: boolean }>;

  /** Returns `identity, object_store_identity, origin` of the store. */
  STORE_IDENTITY: Sql<StoreIdentity>;
  /** Gives the store the identity `$1` unless it has one. */
  CREATE_STORE_IDENTITY: string;
  /** Replaces the identity `$1` of the store by `$2`. */
  RENEW_STORE_IDENTITY: string;
}
