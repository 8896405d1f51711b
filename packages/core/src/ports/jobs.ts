import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import type { IngestReport, IngestTrigger } from '@catalog/contract/records/ingest';
import type { Tenant } from './tenant.ts';

export interface IngestRequest {
  /** True to read the whole source, even if unchanged (SPEC-56). */
  full: boolean;
  retry: readonly string[];
  trigger: IngestTrigger;
  /** Override of freeze windows; absent if none was requested. */
  break_glass?: { justification: string; approvers: readonly string[] };
}

export interface JobProgress {
  phase: string;
  done: number;
  total: number;
}

export type JobOutcome =
  | { kind: 'done'; report: IngestReport }
  | { kind: 'failed'; error: ErrorEnvelope; report?: IngestReport | undefined };

export interface JobRecord {
  job: string;
  layer_id: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  request: IngestRequest;
  progress: JobProgress;
  attempts: number;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  report: IngestReport | null;
  error: ErrorEnvelope | null;
}

/** Job of a worker until its lease ends. `fence` identifies the claim. */
export interface ClaimedJob {
  tenant: Tenant;
  record: JobRecord;
  fence: number;
}

export interface JobReads {
  get(tenant: Tenant, job: string): Promise<JobRecord | undefined>;
  /** Lists the latest jobs of a layer, or of all layers if `layer_id` is empty, newest first. */
  list(tenant: Tenant, layer_id: string, limit: number): Promise<JobRecord[]>;
  /** Lists jobs that failed after `since`, for layers without a later job. */
  listFailed(tenant: Tenant, since: string): Promise<JobRecord[]>;
  /** Lists active tenants with jobs that failed after `since`. */
  listFailedTenants(since: string): Promise<Tenant[]>;
  listWorkers(): Promise<string[]>;
  depth(): Promise<{ queued: number; running: number; oldest_created_at: string | null }>;
}

export interface JobWrites extends JobReads {
  /**
   * Queues a job, or merges the request into the queued job of the layer. A running job does not count, because it has
   * already read its source. The more urgent trigger applies.
   */
  enqueue(
    tenant: Tenant,
    job: { job: string; layer_id: string; request: IngestRequest; now: string },
  ): Promise<JobRecord>;
  /** Adds a failed job, unless another job of the layer is queued or running. */
  addFailed(
    tenant: Tenant,
    job: {
      job: string;
      layer_id: string;
      request: IngestRequest;
      error: ErrorEnvelope;
      now: string;
    },
  ): Promise<void>;
  /**
   * Claims a queued job of a layer without a running one, or a running job with an expired lease. Pushes and edits come
   * first, then requests of users, then polls and startup. Among equal jobs, the tenant with the fewest lanes of this
   * worker comes first, then the oldest job. The limits in `lanes` skip owners, tenants and personal layers that
   * already have enough running jobs.
   */
  claim(worker: {
    name: string;
    now: string;
    lease_until: string;
    /** Maximum numbers of running jobs; unlimited if absent. */
    lanes?: { owner: number; tenant: number; personal: number };
  }): Promise<ClaimedJob | undefined>;
  /** Returns true if the fence holds the job. Until the transaction ends, no other worker can claim it. */
  holds(tenant: Tenant, job: string, fence: number): Promise<boolean>;
  /** Extends the lease. Returns false if the fence no longer holds the job. */
  beat(
    tenant: Tenant,
    job: string,
    fence: number,
    state: { lease_until: string; progress: JobProgress },
  ): Promise<boolean>;
  /** Ends the job. Returns false without a change if the fence no longer holds it. */
  finish(
    tenant: Tenant,
    job: string,
    fence: number,
    end: { outcome: JobOutcome; now: string },
  ): Promise<boolean>;
  /** Fails all queued and running jobs of a layer; their workers lose them. */
  cancel(
    tenant: Tenant,
    layer_id: string,
    end: { error: ErrorEnvelope; now: string },
  ): Promise<void>;
  /** Ends all leases of a worker whose process has ended. */
  endLeases(worker: string): Promise<void>;
  release(tenant: Tenant, job: string, fence: number): Promise<boolean>;
  /** Keeps the newest `keep` finished jobs of each layer. */
  prune(tenant: Tenant, keep: number): Promise<void>;
}
