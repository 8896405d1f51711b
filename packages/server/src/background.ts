import { hostname } from 'node:os';
import type { ComposedRegistry } from './compose.ts';
import type { Settings } from './config/settings.ts';
import type { CompareTenants } from './jobs/compare-tenants.ts';
import { startEmbedWorker } from './jobs/embed-worker.ts';
import { startIngestWorker } from './jobs/ingest-worker.ts';
import { startLeading, type Duties } from './jobs/lead.ts';
import { listActiveTenants } from './jobs/list-active-tenants.ts';
import { pollLayers } from './jobs/poll-layers.ts';
import { retryIngests } from './jobs/retry-ingests.ts';
import { endLeasesOfAbsent, showPresence } from './jobs/presence.ts';
import { removeCopiesRegularly } from './jobs/remove-copies.ts';
import { renewIndexes } from './jobs/renew-indexes.ts';
import { requestAtStart, type StartTenants } from './jobs/request-at-start.ts';
import { startRounds, type Rounds } from './jobs/rounds.ts';
import { startSweep } from './jobs/sweep.ts';
import { startWebhookWorker } from './jobs/webhook-worker.ts';
import { watchFolders, type FolderWatch } from './jobs/watch-folders.ts';
import type { Log } from './observe/log.ts';
import { observeEmbeddings } from './observe/observe-embeddings.ts';
import { observeIngests } from './observe/observe-ingests.ts';
import { observeWebhooks } from './observe/observe-webhooks.ts';
import { requestStartIngests } from './registry/ingest/request-start-ingests.ts';
import type { Registry } from './registry/registry.ts';

export interface PendingWork {
  /** Layers whose ingest runs. */
  ingests: string[];
  /** Receivers of webhooks with a delivery in progress. */
  webhooks: string[];
  /** Other work that has not ended yet, once the stop has begun. */
  tasks: string[];
}

/** Everything that goes on behind the door: edits followed, jobs run, what has expired removed. */
export interface Background {
  /** Work that a stop waits for, by its name in the log. */
  listPending(): PendingWork;
  /** Ends it; jobs may take `drain_ms` to finish, then they are put back in the queue. */
  close(drain_ms: number): Promise<void>;
}

/**
 * What waits at the door when it opens is answered first: watching and reading large folders would
 * make a registry late that is ready. A registry without layers has nothing to be late for.
 */
const HEAD_START_MS = 100;

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
  }, HEAD_START_MS);
  return {
    listPending: () => started?.listPending() ?? { ingests: [], webhooks: [], tasks: [] },
    async close(drain_ms) {
      clearTimeout(timer);
      started = await starting;
      await started?.close(drain_ms);
    },
  };
}

async function start(
  settings: Settings,
  { registry, metrics }: ComposedRegistry,
  log: Log,
): Promise<Background> {
  const folders = follow(registry, log);
  // An edit between the look of the first ingests and the watch would be seen by neither.
  await folders.ready;
  // Not used again by a process that comes after this one.
  const name = `${hostname()}:${process.pid}:${registry.newId()}`;
  const presence = await showPresence(registry.store.locks, name);
  const leading = await startLeading(registry.store.locks, {
    begin: () => takeUpDuties(settings, registry, log),
    onFailure: (error) => log.error({ error }, 'leader election failed'),
  });
  // Last, so that what is asked for at the start joins what was asked for when layers were declared.
  const worker = startIngestWorker(registry, name, observeIngests(registry, log, metrics));
  const embeddings = startEmbedWorker(
    registry,
    observeEmbeddings(log, metrics, () => registry.now()),
  );
  const webhooks = startWebhookWorker(registry, name, observeWebhooks(registry, log, metrics));
  const removal = removeCopiesRegularly(registry, (error) => {
    // While nothing can be read from the primary, copies stay; that is logged elsewhere.
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
      // At the same time: all of them have the same grace period.
      await Promise.all([
        end('sweeps and polls', leading.close()),
        end('watched folders', folders.close()),
        worker.close(drain_ms),
        webhooks.close(drain_ms),
        end('removal of git copies', removal.close()),
        end('embeddings', embeddings.close()),
      ]);
      await presence.close();
    },
  };
}

/** How soon another process goes on with what one did that is gone. */
const TAKE_OVER_MS = 1000;

/** What one process does for all that share the store. */
async function takeUpDuties(settings: Settings, registry: Registry, log: Log): Promise<Duties> {
  log.debug('elected leader: running sweeps and polls');
  const [first, ...others] = await listActiveTenants(registry);
  // Those that were declared at the start are of the first, and are asked for before they are run.
  if (first !== undefined) await requestStartIngests(registry, first);
  const asking = requestRest(registry, { first, others }, log);
  const takeover = startRounds({
    interval_ms: TAKE_OVER_MS,
    first: 'at_once',
    round: () => endLeasesOfAbsent(registry.store),
    onFailure: (error) => log.error({ error }, 'failed to release ingests of a stopped process'),
  });
  const polls = pollRegularly(settings, registry, log);
  const retries = retryRegularly(settings, registry, log);
  const sweep = sweepRegularly(settings, registry, log);
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
      await sweep?.close();
      await retries?.close();
      await polls?.close();
      await takeover.close();
      await asking.close();
      log.debug('no longer leader: stopped sweeps and polls');
    },
  };
}

/** Behind everything else: there may be thousands of tenants. */
function requestRest(registry: Registry, tenants: StartTenants, log: Log): Duties {
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
  const asking = request();
  return {
    async close() {
      closing.abort();
      await asking;
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

function pollRegularly(settings: Settings, registry: Registry, log: Log): Rounds | undefined {
  if (settings.layer_poll_interval === 0) return undefined;
  return pollLayers(registry, {
    interval_ms: settings.layer_poll_interval * 1000,
    listTenants: () => listActiveTenants(registry),
    onUnresponsive: logUnresponsive(log),
    onFailure: (error) => log.error({ error }, 'failed to poll git layers'),
  });
}

function retryRegularly(settings: Settings, registry: Registry, log: Log): Rounds | undefined {
  const seconds = settings['ingest.retry_for'];
  if (seconds === 0) return undefined;
  return retryIngests(registry, {
    limit_ms: seconds * 1000,
    onFailure: (error) => log.error({ error }, 'failed to retry failed ingests'),
  });
}

function sweepRegularly(settings: Settings, registry: Registry, log: Log): Rounds | undefined {
  const seconds = settings['store.retention_interval_seconds'];
  if (seconds === 0) return undefined;
  return startSweep(registry, {
    interval_ms: seconds * 1000,
    listTenants: () => listActiveTenants(registry),
    onFailure: (error) => log.error({ error }, 'retention sweep failed'),
  });
}
