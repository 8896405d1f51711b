import { hostname } from 'node:os';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { JobProgress } from '@catalog/core/ports/jobs';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { startBackground } from './background.ts';
import { openWhenAvailable } from './adapters/store/open-when-available.ts';
import { composeRegistry, openStore, type ComposedRegistry } from './compose.ts';
import type { Settings } from './config/settings.ts';
import { declareWhenReady } from './declare-when-ready.ts';
import { listBootstrapAdmins } from './config/list-bootstrap-admins.ts';
import { defaultVisibility, listDeclaredLayers } from './list-declared-layers.ts';
import { listen, readTls, type Listening } from './listen.ts';
import { watchDependencies } from './observe/dependencies.ts';
import { logSlowStop } from './observe/log-slow-stop.ts';
import type { Log } from './observe/log.ts';
import { observeStore } from './observe/observe-store.ts';
import { loadPlugins } from './plugins/load-plugins.ts';
import { declareTenants } from './registry/access/declare-tenants.ts';
import type { DeclarationEffects } from './registry/layers/declare-layers.ts';
import { declareTenantLayers } from './registry/layers/declare-tenant-layers.ts';
import type { GuardedObjects } from './registry/object-store/guard-objects.ts';
import type { Registry } from './registry/registry.ts';
import { publishAtStart } from './registry/signing/publish-at-start.ts';
import { loadReceiverFile } from './registry/webhooks/receiver-file-sync.ts';
import { warnOfEmailUsers } from './warn-email-users.ts';

/** Layer of a running registry, for display by the command that started the registry. */
export interface ServedLayer {
  id: string;
  source_type: 'git' | 'local';
  /** URL of the repository, or path of the folder. */
  source: string;
}

/** A queued or running ingest, with its progress. */
export interface OpenIngest extends JobProgress {
  layer: string;
  running: boolean;
}

/** Handle for a started registry server. */
export interface RunningRegistry {
  registry: Registry;
  url: string;
  management_url: string | undefined;
  listLayers(): Promise<ServedLayer[]>;
  listIngests(): Promise<OpenIngest[]>;
  /**
   * Loads the certificate files again. Returns false without HTTPS. Throws and keeps the current certificate if the
   * files are invalid.
   */
  reloadCertificate(): boolean;
  /** Stops the registry: running requests are finished, and jobs are finished or queued again. */
  close(): Promise<void>;
}

/**
 * Starts a registry. The configuration is validated before anything is opened. When the registry accepts requests,
 * layers are ingested in the background. `signal` ends the wait for an unavailable database.
 */
export async function startRegistry(
  settings: Settings,
  log: Log,
  signal?: AbortSignal,
): Promise<RunningRegistry> {
  const tls = readTls(settings);
  const declared = listDeclaredLayers(settings);
  const admins = listBootstrapAdmins(settings);
  const plugins = await loadPlugins(settings.plugins);
  const composed = await composeRegistry(
    settings,
    plugins,
    () =>
      openWhenAvailable({
        open: () => openStore(settings, log),
        timeout_ms: settings.startup_timeout * 1000,
        log,
        signal,
      }),
    log,
  );
  let listening: Listening | undefined;
  try {
    const { registry } = composed;
    await refuseForeignObjects(composed.objects);
    const declare = async (): Promise<void> => {
      const isNew = await registry.store.archive.isEmpty();
      await declareTenants(registry, admins);
      await publishAtStart(registry, isNew, log);
      const effects = await declareTenantLayers(registry, declared, defaultVisibility(settings));
      logEffects(effects, log);
    };
    await loadReceiverFile(registry);
    await declareWhenReady(registry, declare, log);
    listening = await listen(settings, tls, composed, log);
    return await keepRunning(settings, composed, listening, log);
  } catch (error) {
    await listening?.close({ drain_ms: 0 });
    await composed.close();
    throw error;
  }
}

function logEffects({ replaced, returned }: DeclarationEffects, log: Log): void {
  for (const { id, owner } of replaced) {
    log.warn({ layer: id, owner }, 'a declared layer replaced the personal layer with the same id');
  }
  for (const { id, restored_versions } of returned) {
    log.warn(
      { layer: id, restored_versions },
      'a declared layer was removed earlier: exact pins load its versions again',
    );
  }
}

/** Maximum wait for an unresponsive object store at startup. */
const OWNER_CHECK_MS = 3000;

/**
 * Rejects an object store of another database. An unavailable one does not delay startup further (SPEC-79); it is
 * checked again before the first write.
 */
async function refuseForeignObjects(objects: GuardedObjects): Promise<void> {
  try {
    await objects.checkOwner(AbortSignal.timeout(OWNER_CHECK_MS));
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'config.invalid') throw error;
  }
}

/** Time for last responses to waiting callers, after the grace period of jobs. */
const LAST_RESPONSES_MS = 1000;

async function keepRunning(
  settings: Settings,
  composed: ComposedRegistry,
  listening: Listening,
  log: Log,
): Promise<RunningRegistry> {
  const { registry } = composed;
  const { url, management_url } = listening;
  registry.settings.public_url = settings.public_url ?? url;
  const process_name = `${hostname()}:${process.pid}`;
  const observed = observeStore(registry, process_name, log, composed.metrics);
  const background = await startBackground(settings, composed, log);
  log.info({ url, management_url }, 'listening');
  // Not awaited, because a registry starts while its issuer is unavailable.
  void prepareIdentity(settings, composed, log);
  const watch = watchDependencies(composed.dependencies, log);
  const drain_ms = settings.shutdown_timeout * 1000;
  return {
    registry,
    url,
    management_url,
    listLayers: () => listServedLayers(registry),
    listIngests: () => listOpenIngests(registry),
    reloadCertificate() {
      const tls = readTls(settings);
      if (tls === undefined) return false;
      listening.replaceCertificate(tls);
      return true;
    },
    async close() {
      composed.announceStop();
      if (settings.shutdown_delay > 0) {
        log.info({ seconds: settings.shutdown_delay }, 'not ready; still accepting connections');
        await delay(settings.shutdown_delay * 1000);
      }
      const stopLogging = logSlowStop(log, () => ({
        requests: listening.listRequests(),
        ...background.listPending(),
      }));
      // Event streams must be closed here, because they never end on their own.
      registry.events.close();
      const answered = listening.close({ drain_ms: drain_ms + LAST_RESPONSES_MS });
      await background.close(drain_ms);
      // Callers that wait for a job get its result first.
      await nextTurn();
      composed.stopWaiting();
      await answered;
      await background.storeReads();
      await watch.close();
      await observed.close();
      await composed.close();
      stopLogging();
    },
  };
}

async function prepareIdentity(
  settings: Settings,
  composed: ComposedRegistry,
  log: Log,
): Promise<void> {
  await composed.identity.prepare(log);
  await warnOfEmailUsers(composed, settings, log).catch((error: unknown) => {
    if (!composed.registry.stopping.aborted) log.error({ error }, 'failed to check layer users');
  });
}

async function listServedLayers({ store }: Registry): Promise<ServedLayer[]> {
  const layers = composeLayers(await store.layers.list(ONLY_TENANT), { kind: 'open' });
  return layers.map(({ id, source_type, repo, local_path }) => ({
    id,
    source_type,
    source: source_type === 'git' ? repo : local_path,
  }));
}

const NEWEST_INGESTS = 100;

async function listOpenIngests({ store }: Registry): Promise<OpenIngest[]> {
  const jobs = await store.jobs.list(ONLY_TENANT, '', NEWEST_INGESTS);
  return jobs
    .filter(({ state }) => state === 'queued' || state === 'running')
    .map(({ layer_id, state, progress }) => ({
      layer: layer_id,
      running: state === 'running',
      ...progress,
    }));
}
