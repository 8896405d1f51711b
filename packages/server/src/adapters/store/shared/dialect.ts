import type { DirectoryStanding } from '@catalog/core/ports/directory';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Queries, Reads } from './queries.ts';
import type { TenantRow } from './tenant-rows.ts';

/**
 * What the shared parts of the store need from each engine: the statements whose SQL differs. Across
 * tenants, PostgreSQL has a function for each, because row-level security hides the rows themselves.
 */
export interface Dialect {
  /** Returns `tenant, id` of the layer with the webhook key `$1`. */
  TENANT_OF_WEBHOOK: string;
  /** Moves the ledger of tenant `$1` and layer id `$2` to the id `$3` of a replaced layer. */
  SET_LEDGER_ASIDE: string;
  /** Returns `tenant` of the tenant whose id or name is `$1`. */
  TENANT_OF_ORGANIZATION: string;
  /** Returns every tenant's record, ordered by name. */
  EVERY_TENANT: string;
  /** Returns `tenant` of each active tenant. */
  ACTIVE_TENANTS: string;
  /** Returns `tenant, revision` of each active tenant with a local layer. */
  WATCHED_TENANTS: string;
  /** Returns what tenant `$1` uses, on the day of `$2`. */
  TENANT_USAGE: string;
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
  COUNT_EVENTS: string;
  /** Removes up to `limit` deliveries received before a time, and returns how many. */
  pruneDeliveries(queries: Queries, before: string, limit: number): Promise<number>;

  /** Returns the choice of tenant `$1`, subject `$2`, session `$3`, id `$4` if it expires after `$5`. */
  GET_CHOICE: string;
  /** Stores a choice unless an unexpired one exists, and returns its `anonymous_number`. */
  REMEMBER_CHOICE: string;
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
  CLAIM_JOB: string;
  /** Ends the leases of worker `$1`. */
  END_LEASES: string;
  /** Returns `tenant` of each active tenant with jobs that failed after `$1`. */
  FAILED_TENANTS: string;
  /** Returns `worker` of each running job. */
  JOB_WORKERS: string;
  /** Returns `queued, running, oldest_created_at` of the jobs of active tenants. */
  JOB_DEPTH: string;

  /** Returns `tenant, receiver` of each receiver with events to dispatch or dispatches to send at `$1`. */
  RECEIVERS_DUE: string;
  /** Returns `worker` of each claimed dispatch. */
  DISPATCH_WORKERS: string;
  /** Makes the dispatches that worker `$1` claimed due. */
  END_CLAIMS: string;
  /** Returns `pending, oldest_created_at, disabled_receivers` of all tenants. */
  DISPATCH_DEPTH: string;
  /** Ends claims of tenant `$1` and receiver `$2` with the results in the JSON list `$3`. */
  FINISH_DISPATCHES: string;

  /** Returns `empty`: whether nothing was ever stored. */
  STORE_IS_EMPTY: string;

  /** Returns `identity, object_store_identity, origin` of the store. */
  STORE_IDENTITY: string;
  /** Gives the store the identity `$1` unless it has one. */
  CREATE_STORE_IDENTITY: string;
  /** Replaces the identity `$1` of the store by `$2`. */
  RENEW_STORE_IDENTITY: string;
}
