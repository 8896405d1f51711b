import type { PopularArtifact, PopularPlace } from '@catalog/core/ports/artifact-usage';
import type { DirectoryStanding } from '@catalog/core/ports/directory';
import type { DispatchReads } from '@catalog/core/ports/dispatches';
import type { StoreIdentity } from '@catalog/core/ports/identity';
import type { JobReads } from '@catalog/core/ports/jobs';
import type { SessionChoice } from '@catalog/core/ports/sessions';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { TenantUsage, WatchedTenant } from '@catalog/core/ports/tenants';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { Queries, Reads } from './queries.ts';
import type { Sql } from './sql.ts';
import type { TenantRow } from './tenant-rows.ts';

/**
 * SQL that differs between SQLite and PostgreSQL. PostgreSQL uses functions for access across tenants, because
 * row-level security hides the rows.
 */
export interface Dialect {
  /** Finds the tenant and the layer with webhook key `$1`. */
  TENANT_OF_WEBHOOK: Sql<{ tenant: Tenant; id: string }>;
  /** Moves the ledger of layer `$2` in tenant `$1` to the id `$3`, because the layer was replaced. */
  SET_LEDGER_ASIDE: string;
  /** Finds the tenant of organization `$1`, an id or a name. */
  TENANT_OF_ORGANIZATION: Sql<{ tenant: Tenant }>;
  EVERY_TENANT: Sql<TenantRow>;
  ACTIVE_TENANTS: Sql<{ tenant: Tenant }>;
  /** Lists active tenants with a local layer. */
  WATCHED_TENANTS: Sql<WatchedTenant>;
  /** Usage of tenant `$1`, on the day of `$2`. */
  TENANT_USAGE: Sql<TenantUsage>;
  /** Creates a tenant with the next number or the given one. Throws if the number, id or name exists. */
  createTenant(
    queries: Queries,
    record: Omit<TenantRow, 'tenant'>,
    number: Tenant | undefined,
  ): Promise<Tenant>;

  /** Finds a user by a name or by the external id. */
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

  /** Counts the events of all tenants. */
  COUNT_EVENTS: Sql<{ events: number }>;
  /** Removes old deliveries and returns their number. */
  pruneDeliveries(queries: Queries, before: string, limit: number): Promise<number>;

  /** Selects the choice of tenant `$1`, subject `$2`, session `$3` and id `$4` that expires after `$5`. */
  GET_CHOICE: Sql<SessionChoice>;
  /** Stores a choice unless an unexpired one exists. */
  REMEMBER_CHOICE: Sql<{ anonymous_number: number | null }>;
  /** Removes anonymous choices of tenant `$1` with numbers up to `$2`. */
  DROP_OLDEST_CHOICES: string;
  HAS_CHOICE_AFTER: string;
  /** Removes choices of a subject except those that expire last. */
  DROP_SUBJECT_CHOICES: string;
  /** Removes expired choices and returns their number. */
  pruneChoices(queries: Queries, now: string, limit: number): Promise<number>;

  /**
   * Claims the next job for worker `$1` at `$2` until `$3` with progress `$4`, within the lanes of
   * an owner (`$5`), a tenant (`$6`) and all personal layers (`$7`); returns `tenant, job, fence`.
   */
  CLAIM_JOB: Sql<{ tenant: Tenant; job: string; fence: number }>;
  END_LEASES: string;
  /** Returns `tenant` of each active tenant with a live layer whose ingest was blocked. */
  FROZEN_TENANTS: Sql<{ tenant: Tenant }>;
  /** Returns `tenant` of each active tenant with jobs that failed after `$1`. */
  FAILED_TENANTS: Sql<{ tenant: Tenant }>;
  JOB_WORKERS: Sql<{ worker: string }>;
  JOB_DEPTH: Sql<Awaited<ReturnType<JobReads['depth']>>>;

  /** Returns `tenant, receiver` of each receiver with events to dispatch or dispatches to send at `$1`. */
  RECEIVERS_DUE: Sql<{ tenant: Tenant; receiver: string }>;
  DISPATCH_WORKERS: Sql<{ worker: string }>;
  /** Makes the dispatches that worker `$1` claimed due again. */
  END_CLAIMS: string;
  DISPATCH_DEPTH: Sql<Awaited<ReturnType<DispatchReads['depth']>>>;
  /** Ends claims of tenant `$1` and receiver `$2` with the results in the JSON list `$3`. */
  FINISH_DISPATCHES: string;

  /** Reads at most `limit` rows of each layer, however many others have. */
  listPopular(
    queries: Queries,
    tenant: Tenant,
    layers: LayerStack,
    page: { after: PopularPlace; limit: number },
  ): Promise<PopularArtifact[]>;

  /** Returns true if nothing was ever stored. */
  STORE_IS_EMPTY: Sql<{ empty: boolean }>;

  STORE_IDENTITY: Sql<StoreIdentity>;
  /** Sets the identity of the store to `$1` unless it has one. */
  CREATE_STORE_IDENTITY: string;
  RENEW_STORE_IDENTITY: string;
}
