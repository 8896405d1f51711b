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
  /** Ends what runs, within the time given puts it back in the queue. */
  close(drain_ms: number): Promise<void>;
}

/** Ingests that run at once: one that waits for a network holds up no other. */
const LANES = 4;
const LEASE_MS = 60_000;
/** A job whose worker died is found at the latest after this; everything else wakes the worker. */
const POLL_MS = 15_000;
/** Whoever waits for an ingest is told how far it is this often. */
const TELL_MS = 500;
/** A failure that may pass by itself is tried this often. */
const MOST_ATTEMPTS = 3;

/** Takes ingest jobs and runs them, several layers at a time, never two of one layer. */
export function startIngestWorker(registry: Registry, name: string, log: WorkerLog): IngestWorker {
  const running = new Map<Promise<void>, AbortController>();
  let closing = false;
  let claiming: Promise<void> = Promise.resolve();
  let asked = false;

  function wake(): void {
    if (closing || asked) return;
    asked = true;
    claiming = claiming.then(claimAll);
  }

  function canStart(): boolean {
    return !closing && running.size < LANES;
  }

  async function claimAll(): Promise<void> {
    asked = false;
    try {
      while (canStart()) {
        const job = await claim();
        if (job === undefined) return;
        start(job);
      }
    } catch (cause) {
      log.failed(undefined, cause);
    }
  }

  function claim(): Promise<ClaimedJob | undefined> {
    const now = registry.now();
    const lease_until = new Date(now.getTime() + LEASE_MS).toISOString();
    return registry.store.transaction((writes) =>
      writes.jobs.claim({ name, now: now.toISOString(), lease_until }),
    );
  }

  function start(job: ClaimedJob): void {
    const controller = new AbortController();
    const run = runJob(registry, job, log, controller).finally(() => {
      running.delete(run);
      wake();
    });
    running.set(run, controller);
  }

  const stopListening = registry.store.onCommit(wake);
  const poll = setInterval(wake, POLL_MS).unref();
  wake();
  return {
    wake,
    close: async (drain_ms) => {
      closing = true;
      stopListening();
      clearInterval(poll);
      await claiming;
      const patience = setTimeout(() => {
        for (const controller of running.values()) controller.abort();
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
  async function beatOnce(): Promise<void> {
    told = registry.now().getTime();
    const kept = await keepLease(registry, job, progress).catch(() => false);
    if (!kept) controller.abort();
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
    await endFailed(registry, job, cause, controller.signal.aborted).catch((problem: unknown) => {
      log.failed(job, problem);
    });
    log.ended(job, 'failed', secondsSince(registry, started));
  } finally {
    clearInterval(beat);
  }
}

function secondsSince(registry: Registry, started: number): number {
  return (registry.now().getTime() - started) / 1000;
}

function keepLease(registry: Registry, job: ClaimedJob, progress: JobProgress): Promise<boolean> {
  const lease_until = new Date(registry.now().getTime() + LEASE_MS).toISOString();
  const { tenant, record, fence } = job;
  return registry.store.transaction((writes) =>
    writes.jobs.beat(tenant, record.job, fence, { lease_until, progress }),
  );
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
    'The ingest failed inside the registry; its log has the details.',
  ).toEnvelope();
}
