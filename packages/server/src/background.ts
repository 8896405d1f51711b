import { hostname } from 'node:os';
import { attemptEach } from '@catalog/core/attempt-each';
import type { ComposedRegistry } from './compose.ts';
import type { Settings } from './config/settings.ts';
import type { CompareTenants } from './jobs/compare-tenants.ts';
import { startEmbedWorker } from './jobs/embed-worker.ts';
import { endFreezes } from './jobs/end-freezes.ts';
import { startIngestWorker } from './jobs/ingest-worker.ts';
import { startLeaderElection, type LeaderTasks } from './jobs/leader-election.ts';
import { listActiveTenants } from './jobs/list-active-tenants.ts';
import { pollLayers } from './jobs/poll-layers.ts';
import { retryIngests } from './jobs/retry-ingests.ts';
import { endWorkOfAbsent, showPresence } from './jobs/presence.ts';
import { removeCopiesRegularly } from './jobs/remove-copies.ts';
import { renewIndexes } from './jobs/renew-indexes.ts';
import { requestAtStart, type StartTenants } from './jobs/request-at-start.ts';
import { startPeriodicTask, type PeriodicTask } from './jobs/periodic-task.ts';
import { startSweep } from './jobs/sweep.ts';
import { startReadLogWorker } from './jobs/read-log-worker.ts';
import { startWebhookWorker } from './jobs/webhook-worker.ts';
import { watchFolders, type FolderWatch } from './jobs/watch-folders.ts';
import type { Log } from './observe/log.ts';
import { observeEmbeddings } from './observe/observe-embeddings.ts';
import { observeIngests } from './observe/observe-ingests.ts';
import { observeWebhooks } from './observe/observe-webhooks.ts';
import { sealReads } from './registry/audit/seal-reads.ts';
import { requestStartIngests } from './registry/ingest/request-start-ingests.ts';
import type { Registry } from './registry/registry.ts';
import { renewKeys } from './registry/signing/publish-at-start.ts';

export interface PendingWork {
  ingests: string[];
  webhooks: string[];
  tasks: string[];
}

export interface Background {
  listPending(): PendingWork;
  /** Stops background work. Jobs still running after `drain_ms` go back to the queue. */
  close(drain_ms: number): Promise<void>;
  /** Stores the reads of the last requests; follows `close`. */
  storeReads(): Promise<void>;
}

/** Delay before folders are watched and read, so that waiting requests run first. */
const START_DELAY_MS = 100;

export async function startBackground(
  settings: Settings,
  composed: ComposedRegistry,
  log: Log,
): Promise<Background> {
  if (await composed.registry.store.archive.isEmpty()) return start(settings, composed, log);
  let starting: Promise<Background | undefined> = Promise.resolve(undefined);
  let started: Background | undefined;
  const timer = setTimeout(() => {
    starting = start(settings, composed, log).catch((error: unknown) => {
      log.error({ error }, 'ingests are disabled: failed to start background jobs');
      return undefined;
    });
  }, START_DELAY_MS);
  return {
    listPending: () => started?.listPending() ?? { ingests: [], webhooks: [], tasks: [] },
    async close(drain_ms) {
      clearTimeout(timer);
      started = await starting;
      await started?.close(drain_ms);
    },
    storeReads: async () => started?.storeReads(),
  };
}

async function start(
  settings: Settings,
  { registry, metrics }: ComposedRegistry,
  log: Log,
): Promise<Background> {
  const folders = follow(registry, log);
  // An edit between the first ingests and the start of the watch would otherwise be missed.
  await folders.ready;
  // Unique name of the worker; no later process uses it again.
  const name = `${hostname()}:${process.pid}:${registry.newId()}`;
  const presence = await showPresence(registry.store.locks, name);
  const leading = await startLeaderElection(registry.store.locks, {
    begin: () => startLeaderDuties(settings, registry, log),
    onFailure: (error) => log.error({ error }, 'leader election failed'),
  });
  // The worker starts last, so that ingests of declared layers and of startup are queued together.
  const worker = startIngestWorker(registry, name, observeIngests(registry, log, metrics));
  const embeddings = startEmbedWorker(
    registry,
    observeEmbeddings(log, metrics, () => registry.now()),
  );
  const reads = startReadLogWorker(registry, name, {
    interval_ms: READS_INTERVAL_MS,
    onFailure(error) {
      if (registry.store.availability().mode !== 'ready') return;
      log.error({ error }, 'failed to record reads; will retry');
    },
  });
  const webhooks = startWebhookWorker(registry, name, observeWebhooks(registry, log, metrics));
  const removal = removeCopiesRegularly(registry, (error) => {
    // While the primary is unavailable, copies cannot be removed. The store has already logged the outage.
    if (registry.store.availability().mode !== 'ready') return;
    log.error({ error }, 'failed to remove copies of git repositories');
  });
  const tasks = new Set<string>();
  async function end(task: string, ended: Promise<void>): Promise<void> {
    tasks.add(task);
    await ended;
    tasks.delete(task);
  }
  return {
    listPending: () => ({
      ingests: worker.listRunning(),
      webhooks: webhooks.listServed(),
      tasks: [...tasks],
    }),
    async close(drain_ms) {
      // All of them stop concurrently, because they share the grace period.
      await Promise.all([
        end('sweeps and polls', leading.close()),
        end('watched folders', folders.close()),
        worker.close(drain_ms),
        webhooks.close(drain_ms),
        end('removal of git copies', removal.close()),
        end('embeddings', embeddings.close()),
      ]);
    },
    async storeReads() {
      await reads.close();
      await presence.close();
    },
  };
}

/** Maximum age of a read that is only in memory. */
const READS_INTERVAL_MS = 1000;

/** Interval between checks for reads of an earlier day. */
const SEAL_INTERVAL_MS = 600_000;

/** Interval at which a process checks whether the leader has stopped. */
const TAKEOVER_INTERVAL_MS = 1000;

async function startLeaderDuties(
  settings: Settings,
  registry: Registry,
  log: Log,
): Promise<LeaderTasks> {
  log.debug('elected leader: running sweeps and polls');
  const [first, ...others] = await listActiveTenants(registry);
  // Layers declared at startup belong to the first tenant. Their ingests are queued before the
  // others.
  if (first !== undefined) await requestStartIngests(registry, first);
  const pendingRequests = requestRemainingIngests(registry, { first, others }, log);
  const takeover = startPeriodicTask({
    interval_ms: TAKEOVER_INTERVAL_MS,
    first: 'at_once',
    round: () => endWorkOfAbsent(registry),
    onFailure: (error) => log.error({ error }, 'failed to release the work of a stopped process'),
  });
  const seals = startPeriodicTask({
    interval_ms: SEAL_INTERVAL_MS,
    first: 'at_once',
    async round(signal) {
      const tenants = await listActiveTenants(registry);
      await attemptEach(tenants, (tenant) => sealReads(registry, tenant, signal), signal);
    },
    onFailure: (error) => log.error({ error }, 'failed to record the digest of reads'),
  });
  const freezes = endFreezes(registry, (error) =>
    log.error({ error }, 'failed to queue ingests after a freeze window'),
  );
  const polls = pollRegularly(settings, registry, log);
  const retries = retryRegularly(settings, registry, log);
  const sweep = sweepRegularly(settings, registry, log);
  const keys = renewKeysRegularly(registry, log);
  const renewal = renewIndexes(registry, {
    language: settings['search.language'],
    listTenants: () => listActiveTenants(registry),
    onFailure: (error) =>
      log.error(
        { error },
        'failed to rebuild the search index; searches use the previous language',
      ),
  });
  return {
    async close() {
      await renewal.close();
      await keys.close();
      await sweep?.close();
      await retries?.close();
      await polls?.close();
      await freezes.close();
      await seals.close();
      await takeover.close();
      await pendingRequests.close();
      log.debug('no longer leader: stopped sweeps and polls');
    },
  };
}

/** Runs in the background, because there may be thousands of tenants. */
function requestRemainingIngests(registry: Registry, tenants: StartTenants, log: Log): LeaderTasks {
  const closing = new AbortController();
  const { signal } = closing;
  async function request(): Promise<void> {
    await requestAtStart(registry, tenants, {
      onUnresponsive: logUnresponsive(log),
      onFailure: (error) =>
        log.error({ error }, 'failed to queue ingests for some layers at startup'),
      signal,
    });
    if (!signal.aborted) log.debug('compared git layers with their hosts');
  }
  const pendingRequests = request();
  return {
    async close() {
      closing.abort();
      await pendingRequests;
    },
  };
}

function logUnresponsive(log: Log): CompareTenants['onUnresponsive'] {
  return (layer, error) =>
    log.warn({ layer, error }, 'git host did not respond: its layers were not compared');
}

function follow(registry: Registry, log: Log): FolderWatch {
  return watchFolders(registry, {
    onFallback: (layer, error) =>
      log.warn({ layer, error }, 'polling a directory because it cannot be watched'),
    onFailure: (error) => log.error({ error }, 'failed to ingest an edit'),
  });
}

function pollRegularly(settings: Settings, registry: Registry, log: Log): PeriodicTask | undefined {
  if (settings.layer_poll_interval === 0) return undefined;
  return pollLayers(registry, {
    interval_ms: settings.layer_poll_interval * 1000,
    listTenants: () => listActiveTenants(registry),
    onUnresponsive: logUnresponsive(log),
    onFailure: (error) => log.error({ error }, 'failed to poll git layers'),
  });
}

function retryRegularly(
  settings: Settings,
  registry: Registry,
  log: Log,
): PeriodicTask | undefined {
  const seconds = settings['ingest.retry_for'];
  if (seconds === 0) return undefined;
  return retryIngests(registry, {
    limit_ms: seconds * 1000,
    onFailure: (error) => log.error({ error }, 'failed to retry failed ingests'),
  });
}

const KEY_RENEWAL_MS = 3_600_000;

function renewKeysRegularly(registry: Registry, log: Log): PeriodicTask {
  return startPeriodicTask({
    interval_ms: KEY_RENEWAL_MS,
    first: 'at_once',
    round: () => renewKeys(registry),
    onFailure: (error) => log.error({ error }, 'failed to renew the published signing keys'),
  });
}

function sweepRegularly(
  settings: Settings,
  registry: Registry,
  log: Log,
): PeriodicTask | undefined {
  const seconds = settings['store.retention_interval_seconds'];
  if (seconds === 0) return undefined;
  return startSweep(registry, {
    interval_ms: seconds * 1000,
    listTenants: () => listActiveTenants(registry),
    onFailure: (error) => log.error({ error }, 'retention sweep failed'),
  });
}
