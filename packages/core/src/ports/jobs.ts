import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import type { IngestReport, IngestTrigger } from '@catalog/contract/records/ingest';
import type { Tenant } from './tenant.ts';

export interface IngestRequest {
  /** True to read the whole source, even if it is unchanged (SPEC-56). */
  full: boolean;
  retry: readonly string[];
  trigger: IngestTrigger;
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

/** A job that this worker holds until the lease ends. `fence` identifies the claim. */
export interface ClaimedJob {
  tenant: Tenant;
  record: JobRecord;
  fence: number;
}

export interface JobReads {
  get(tenant: Tenant, job: string): Promise<JobRecord | undefined>;
  /** Lists the latest jobs of a layer, newest first; of every layer if `layer_id` is empty. */
  list(tenant: Tenant, layer_id: string, limit: number): Promise<JobRecord[]>;
  /** Lists jobs that failed after `since`, in layers without a later job. */
  listFailed(tenant: Tenant, since: string): Promise<JobRecord[]>;
  /** Lists active tenants with jobs that failed after `since`. */
  listFailedTenants(since: string): Promise<Tenant[]>;
  listWorkers(): Promise<string[]>;
  depth(): Promise<{ queued: number; running: number; oldest_created_at: string | null }>;
}

export interface JobWrites extends JobReads {
  /**
   * Adds a job, or merges the request into the queued job of the layer. A running job has read its
   * source already and does not count. Keeps the more urgent trigger; of equal ones, the first.
   */
  enqueue(
    tenant: Tenant,
    job: { job: string; layer_id: string; request: IngestRequest; now: string },
  ): Promise<JobRecord>;
  /** Does nothing if another job of the layer is queued or running, which will report the state. */
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
   * Claims a queued job whose layer has no running one, or a running job whose lease has expired.
   * Pushes and edits come first, then user requests, then polls and startup jobs. Among equal jobs,
   * the tenant with the fewest lanes of this worker comes first, then the oldest job. Skips
   * personal layers if their owner has `lanes.owner` running jobs, or if this worker runs
   * `lanes.personal` jobs of personal layers. Skips tenants with `lanes.tenant` running jobs of
   * this worker.
   */
  claim(worker: {
    name: string;
    now: string;
    lease_until: string;
    /** Unlimited if absent. */
    lanes?: { owner: number; tenant: number; personal: number };
  }): Promise<ClaimedJob | undefined>;
  /**
   * Returns true if this fence holds the job. No other worker can then claim it before the transaction
   * ends.
   */
  holds(tenant: Tenant, job: string, fence: number): Promise<boolean>;
  /** Extends the lease. Returns false if this fence no longer holds the job. */
  beat(
    tenant: Tenant,
    job: string,
    fence: number,
    state: { lease_until: string; progress: JobProgress },
  ): Promise<boolean>;
  /** Finishes the job. Returns false and writes nothing if this fence no longer holds it. */
  finish(
    tenant: Tenant,
    job: string,
    fence: number,
    end: { outcome: JobOutcome; now: string },
  ): Promise<boolean>;
  /** Fails every queued or running job of a layer. The worker of a running job loses it. */
  cancel(
    tenant: Tenant,
    layer_id: string,
    end: { error: ErrorEnvelope; now: string },
  ): Promise<void>;
  /** Ends all leases of a worker in any tenant, because its process is known to be gone. */
  endLeases(worker: string): Promise<void>;
  release(tenant: Tenant, job: string, fence: number): Promise<boolean>;
  /** Keeps the newest `keep` finished jobs of each layer. */
  prune(tenant: Tenant, keep: number): Promise<void>;
}
