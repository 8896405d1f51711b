import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import type { ClaimedJob, JobProgress } from '@catalog/core/ports/jobs';
import type { Registry } from '../registry/registry.ts';
import { runIngest } from '../registry/ingest/run-ingest.ts';

/** What the worker tells the process around it. */
export interface WorkerLog {
  /** An ingest ended. */
  ended(job: ClaimedJob, outcome: 'done' | 'failed', seconds: number): void;
  /** Something failed that has no code, or for a reason that its message does not tell. */
  failed(job: ClaimedJob | undefined, cause: unknown): void;
}

export interface IngestWorker {
  /** Looks for work now; called when a job was committed. */
  wake(): void;
  /** Layers whose ingest runs in this process. */
  listRunning(): string[];
  /** Ends what runs, within the time given puts it back in the queue. */
  close(drain_ms: number): Promise<void>;
}

/** Ingests that run at once: one that waits for a network holds up no other. */
const LANES = 4;
/** Personal layers of one owner that are ingested at once, by all processes: a slow host is slow for its owner. */
const OWNER_LANES = 1;
/** Personal layers that one process ingests at once: a lane stays free for the layers of administrators. */
const PERSONAL_LANES = LANES - 1;
/** How long a job waits for a worker that died. */
const LEASE_MS = 30_000;
/** A job whose lease ended is found at the latest after this; everything else wakes the worker. */
const POLL_MS = 15_000;
/** Whoever waits for an ingest is told how far it is this often. */
const TELL_MS = 500;
/** A failure that may pass by itself is tried this often. */
const MOST_ATTEMPTS = 3;
/** How often the end of a job is tried to be written. */
const END_AGAIN_MS = 500;

interface RunningJob {
  job: ClaimedJob;
  controller: AbortController;
}

/** Takes ingest jobs and runs them, several layers at a time, never two of one layer. */
export function startIngestWorker(registry: Registry, name: string, log: WorkerLog): IngestWorker {
  const running = new Map<Promise<void>, RunningJob>();
  let closing = false;
  let claiming: Promise<void> = Promise.resolve();
  let asked = false;

  function wake(): void {
    if (closing || asked) return;
    asked = true;
    claiming = claiming.then(claimAll);
  }

  function canStart(): boolean {
    // While nothing can be written nothing is begun; the end of that wakes the worker.
    const isReady = registry.store.availability().mode === 'ready';
    return !closing && isReady && running.size < LANES;
  }

  async function claimAll(): Promise<void> {
    asked = false;
    try {
      await abortCanceled();
      while (canStart()) {
        const job = await claim();
        if (job === undefined) return;
        start(job);
      }
    } catch (cause) {
      // That the primary is away is known, and said elsewhere.
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
    // No tenant of several gets all lanes.
    const tenant = registry.settings.multi_tenant ? LANES - 1 : LANES;
    return registry.store.transaction(({ jobs }) =>
      jobs.claim({ ...worker, lanes: { owner: OWNER_LANES, tenant, personal: PERSONAL_LANES } }),
    );
  }

  /** Ends what was canceled by this or another process, so that its lane is free. */
  async function abortCanceled(): Promise<void> {
    for (const { job, controller } of running.values()) {
      const { state } = (await registry.store.jobs.get(job.tenant, job.record.job)) ?? {};
      // A copy of the store may be behind, and know the job only as waiting.
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
      const patience = setTimeout(() => {
        for (const { controller } of running.values()) controller.abort();
      }, drain_ms);
      await Promise.all(running.keys());
      clearTimeout(patience);
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
  let told = started;
  let kept_until = started + LEASE_MS;
  async function beatOnce(): Promise<void> {
    told = registry.now().getTime();
    const until = told + LEASE_MS;
    try {
      if (await keepLease(registry, job, progress, until)) kept_until = until;
      else controller.abort();
    } catch {
      // A store that does not answer gives the job to nobody before the lease ends.
      if (registry.now().getTime() >= kept_until) controller.abort();
    }
  }
  const beat = setInterval(() => void beatOnce(), LEASE_MS / 3).unref();
  const hooks = {
    report: (now: JobProgress) => {
      progress = now;
      if (registry.now().getTime() - told > TELL_MS) void beatOnce();
    },
  };
  try {
    await runIngest(registry, job, hooks, controller.signal);
    log.ended(job, 'done', secondsSince(registry, started));
  } catch (cause) {
    // An error with a code tells its reader what to do; what lies behind it is for the log.
    const reason = cause instanceof CatalogError ? cause.cause : cause;
    if (reason !== undefined && !controller.signal.aborted) log.failed(job, reason);
    const isOver = (): boolean =>
      controller.signal.aborted || registry.now().getTime() >= kept_until;
    const end = (): Promise<boolean> => endFailed(registry, job, cause, controller.signal.aborted);
    await endSurely(end, isOver).catch((problem: unknown) => log.failed(job, problem));
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

/** A store that is away for a moment must not keep the layer waiting until the lease has ended. */
async function endSurely(end: () => Promise<boolean>, isOver: () => boolean): Promise<void> {
  for (;;) {
    try {
      await end();
      return;
    } catch (problem) {
      const mayPass = problem instanceof CatalogError && problem.retryable;
      if (!mayPass || isOver()) throw problem;
      await delay(END_AGAIN_MS, undefined, { ref: false });
    }
  }
}

/** Puts back what may succeed later or was interrupted; ends the rest with its envelope. */
function endFailed(
  registry: Registry,
  { tenant, record, fence }: ClaimedJob,
  cause: unknown,
  interrupted: boolean,
): Promise<boolean> {
  const error = toEnvelope(cause);
  const again = interrupted || (error.retryable && record.attempts < MOST_ATTEMPTS);
  return registry.store.transaction((writes) =>
    again
      ? writes.jobs.release(tenant, record.job, fence)
      : writes.jobs.finish(tenant, record.job, fence, {
          outcome: { kind: 'failed', error },
          now: registry.now().toISOString(),
        }),
  );
}

/** Whatever has no code says nothing of the host to a reader of the report. */
function toEnvelope(cause: unknown): ErrorEnvelope {
  if (cause instanceof CatalogError) return cause.toEnvelope();
  return new CatalogError(
    'registry.unavailable',
    "The ingest failed with an internal error; see the registry's log.",
  ).toEnvelope();
}
