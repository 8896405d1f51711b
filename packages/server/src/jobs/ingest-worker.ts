import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import type { ClaimedJob, JobProgress } from '@catalog/core/ports/jobs';
import { noteFrozen } from '../registry/freeze/note-frozen.ts';
import type { Registry } from '../registry/registry.ts';
import { runIngest } from '../registry/ingest/run-ingest.ts';

export interface WorkerLog {
  ended(job: ClaimedJob, outcome: 'done' | 'failed', seconds: number): void;
  /** Called after a failure that the report of the job does not explain. */
  failed(job: ClaimedJob | undefined, cause: unknown): void;
}

export interface IngestWorker {
  /** Checks for jobs immediately. Called after a commit with a new job. */
  wake(): void;
  listRunning(): string[];
  /** Stops the worker. Jobs still running after `drain_ms` are queued again. */
  close(drain_ms: number): Promise<void>;
}

/** Number of concurrent ingests, so that one that waits for a network does not block others. */
const LANES = 4;
/** Number of concurrent ingests per owner across all processes, so that a slow host affects only its owner. */
const OWNER_LANES = 1;
/** Maximum number of concurrent ingests of personal layers per process; one lane is reserved for others. */
const PERSONAL_LANES = LANES - 1;
/** Duration of a lease, after which another worker can claim the job of a crashed worker. */
const LEASE_MS = 30_000;
/** Interval of polls, which find jobs with an expired lease. Everything else wakes the worker. */
const POLL_MS = 15_000;
const PROGRESS_INTERVAL_MS = 500;
const MAX_ATTEMPTS = 3;
const RECORD_RETRY_MS = 500;

interface RunningJob {
  job: ClaimedJob;
  controller: AbortController;
}

/** Starts the worker that runs ingests: several layers concurrently, but one ingest per layer. */
export function startIngestWorker(registry: Registry, name: string, log: WorkerLog): IngestWorker {
  const running = new Map<Promise<void>, RunningJob>();
  let closing = false;
  let claiming: Promise<void> = Promise.resolve();
  let isWakePending = false;

  function wake(): void {
    if (closing || isWakePending) return;
    isWakePending = true;
    claiming = claiming.then(claimAll);
  }

  function canStart(): boolean {
    // In read-only mode, no job is started. The end of read-only mode wakes the worker.
    const isReady = registry.store.availability().mode === 'ready';
    return !closing && isReady && running.size < LANES;
  }

  async function claimAll(): Promise<void> {
    isWakePending = false;
    try {
      await abortCanceled();
      while (canStart()) {
        const job = await claim();
        if (job === undefined) return;
        start(job);
      }
    } catch (cause) {
      // An unavailable primary is already logged.
      if (registry.store.availability().mode === 'ready') log.failed(undefined, cause);
    }
  }

  function claim(): Promise<ClaimedJob | undefined> {
    const now = registry.now();
    const worker = {
      name,
      now: now.toISOString(),
      lease_until: new Date(now.getTime() + LEASE_MS).toISOString(),
    };
    // With several tenants, a tenant cannot use all lanes.
    const tenant = registry.settings.multi_tenant ? LANES - 1 : LANES;
    return registry.store.transaction(({ jobs }) =>
      jobs.claim({ ...worker, lanes: { owner: OWNER_LANES, tenant, personal: PERSONAL_LANES } }),
    );
  }

  /** Aborts running jobs that any process canceled. */
  async function abortCanceled(): Promise<void> {
    for (const { job, controller } of running.values()) {
      const { state } = (await registry.store.jobs.get(job.tenant, job.record.job)) ?? {};
      // A lagging standby may still return the job as queued.
      if (state === 'failed') controller.abort();
    }
  }

  function start(job: ClaimedJob): void {
    const controller = new AbortController();
    const run = runJob(registry, job, log, controller).finally(() => {
      running.delete(run);
      wake();
    });
    running.set(run, { job, controller });
  }

  const stopListening = registry.store.onCommit(wake);
  const poll = setInterval(wake, POLL_MS).unref();
  wake();
  return {
    wake,
    listRunning: () => [...running.values()].map(({ job }) => job.record.layer_id),
    close: async (drain_ms) => {
      closing = true;
      stopListening();
      clearInterval(poll);
      await claiming;
      const drainTimer = setTimeout(() => {
        for (const { controller } of running.values()) controller.abort();
      }, drain_ms);
      await Promise.all(running.keys());
      clearTimeout(drainTimer);
    },
  };
}

async function runJob(
  registry: Registry,
  job: ClaimedJob,
  log: WorkerLog,
  controller: AbortController,
): Promise<void> {
  const started = registry.now().getTime();
  let progress: JobProgress = job.record.progress;
  let reported_at = started;
  let kept_until = started + LEASE_MS;
  async function beatOnce(): Promise<void> {
    reported_at = registry.now().getTime();
    const until = reported_at + LEASE_MS;
    try {
      if (await keepLease(registry, job, progress, until)) kept_until = until;
      else controller.abort();
    } catch {
      // Until the lease ends, no other worker can claim the job, even if the store is unavailable.
      if (registry.now().getTime() >= kept_until) controller.abort();
    }
  }
  const beat = setInterval(() => void beatOnce(), LEASE_MS / 3).unref();
  const hooks = {
    report: (now: JobProgress) => {
      progress = now;
      if (registry.now().getTime() - reported_at > PROGRESS_INTERVAL_MS) void beatOnce();
    },
  };
  try {
    await runIngest(registry, job, hooks, controller.signal);
    log.ended(job, 'done', secondsSince(registry, started));
  } catch (cause) {
    // An error with a code is part of the report and needs no log line.
    const reason = cause instanceof CatalogError ? cause.cause : cause;
    if (reason !== undefined && !controller.signal.aborted) log.failed(job, reason);
    const isOver = (): boolean =>
      controller.signal.aborted || registry.now().getTime() >= kept_until;
    const end = (): Promise<boolean> => endFailed(registry, job, cause, controller.signal.aborted);
    await retryUntilRecorded(end, isOver).catch((problem: unknown) => log.failed(job, problem));
    log.ended(job, 'failed', secondsSince(registry, started));
  } finally {
    clearInterval(beat);
  }
}

function secondsSince(registry: Registry, started: number): number {
  return (registry.now().getTime() - started) / 1000;
}

function keepLease(
  registry: Registry,
  { tenant, record, fence }: ClaimedJob,
  progress: JobProgress,
  until: number,
): Promise<boolean> {
  const lease_until = new Date(until).toISOString();
  return registry.store.transaction((writes) =>
    writes.jobs.beat(tenant, record.job, fence, { lease_until, progress }),
  );
}

/**
 * Records the end of a job, with retries during a short outage of the store: otherwise the layer would be blocked until
 * the lease ends.
 */
async function retryUntilRecorded(
  end: () => Promise<boolean>,
  isOver: () => boolean,
): Promise<void> {
  for (;;) {
    try {
      await end();
      return;
    } catch (problem) {
      const mayPass = problem instanceof CatalogError && problem.retryable;
      if (!mayPass || isOver()) throw problem;
      await delay(RECORD_RETRY_MS, undefined, { ref: false });
    }
  }
}

/** Ends a failed job. Queues it again if it was interrupted or may succeed later. */
function endFailed(
  registry: Registry,
  { tenant, record, fence }: ClaimedJob,
  cause: unknown,
  interrupted: boolean,
): Promise<boolean> {
  const error = toEnvelope(cause);
  const again = interrupted || (error.retryable && record.attempts < MAX_ATTEMPTS);
  return registry.store.transaction(async (writes) => {
    if (again) return writes.jobs.release(tenant, record.job, fence);
    const now = registry.now().toISOString();
    const outcome = { kind: 'failed', error } as const;
    const ended = await writes.jobs.finish(tenant, record.job, fence, { outcome, now });
    if (ended && error.code === 'ingest.frozen') {
      await noteFrozen(writes, tenant, record.layer_id, now);
    }
    return ended;
  });
}

/**
 * Converts an error to an envelope. Without a code, the reason is left out, because readers of the report must not
 * learn about the host.
 */
function toEnvelope(cause: unknown): ErrorEnvelope {
  if (cause instanceof CatalogError) return cause.toEnvelope();
  return new CatalogError(
    'registry.unavailable',
    "The ingest failed with an internal error; see the registry's log.",
  ).toEnvelope();
}
