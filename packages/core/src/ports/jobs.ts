import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import type { IngestReport, IngestTrigger } from '@catalog/contract/records/ingest';
import type { Tenant } from './tenant.ts';

/** What an ingest job is asked to do. */
export interface IngestRequest {
  /** Read the whole source, whatever changed (SPEC-56). */
  full: boolean;
  /** Artifacts to look at again although the source did not change. */
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

/** One ingest of one layer. */
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

/** A job that is this worker's until the lease ends; `fence` proves it. */
export interface ClaimedJob {
  tenant: Tenant;
  record: JobRecord;
  fence: number;
}

export interface JobReads {
  get(tenant: Tenant, job: string): Promise<JobRecord | undefined>;
  /** The latest jobs of a layer, newest first; of every layer when `layer_id` is empty. */
  list(tenant: Tenant, layer_id: string, limit: number): Promise<JobRecord[]>;
  /** The jobs that failed after `since`, of layers for which no job came after it. */
  listFailed(tenant: Tenant, since: string): Promise<JobRecord[]>;
  /** Active tenants with jobs that failed after `since`. */
  listFailedTenants(since: string): Promise<Tenant[]>;
  /** The names of all workers that hold a job now, of any tenant. */
  listWorkers(): Promise<string[]>;
  /** How many wait and run, and since when the oldest waits: for metrics. */
  depth(): Promise<{ queued: number; running: number; oldest_created_at: string | null }>;
}

export interface JobWrites extends JobReads {
  /**
   * Adds a job, or joins the one that already waits for the layer (a running one has read its source
   * and does not count). Joining unites the requests and keeps the more urgent trigger, else the first.
   */
  enqueue(
    tenant: Tenant,
    job: { job: string; layer_id: string; request: IngestRequest; now: string },
  ): Promise<JobRecord>;
  /**
   * Adds a job that has failed already, unless one waits for the layer or runs: that one will report the
   * state of the source.
   */
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
   * Claims a waiting job whose layer has none running, or a running job whose lease has ended. Pushes and edits
   * come first, then what users request, then polls and starts. Of equal jobs, one of the tenant that uses the
   * fewest lanes of this worker comes first, then the oldest. Skips personal layers if their owner has
   * `lanes.owner` jobs running or this worker runs `lanes.personal` jobs of personal layers, and tenants that
   * have `lanes.tenant` jobs running with this worker.
   */
  claim(worker: {
    name: string;
    now: string;
    lease_until: string;
    /** Unlimited if absent. */
    lanes?: { owner: number; tenant: number; personal: number };
  }): Promise<ClaimedJob | undefined>;
  /**
   * Whether the job is still this fence's. If so nobody takes it over before the transaction ends: what
   * it writes is written by the only holder.
   */
  holds(tenant: Tenant, job: string, fence: number): Promise<boolean>;
  /** Extends the lease; false when the job is no longer this fence's. */
  beat(
    tenant: Tenant,
    job: string,
    fence: number,
    state: { lease_until: string; progress: JobProgress },
  ): Promise<boolean>;
  /** Ends it; false when the job is no longer this fence's, and then nothing is written. */
  finish(
    tenant: Tenant,
    job: string,
    fence: number,
    end: { outcome: JobOutcome; now: string },
  ): Promise<boolean>;
  /** Fails every queued or running job of a layer; the worker of a running one loses it. */
  cancel(
    tenant: Tenant,
    layer_id: string,
    end: { error: ErrorEnvelope; now: string },
  ): Promise<void>;
  /** What the worker holds can be claimed at once, of any tenant: its process is known to be gone. */
  endLeases(worker: string): Promise<void>;
  /** Puts it back in the queue, as on shutdown. */
  release(tenant: Tenant, job: string, fence: number): Promise<boolean>;
  /** Forgets ended jobs but for the newest `keep` of each layer. */
  prune(tenant: Tenant, keep: number): Promise<void>;
}
