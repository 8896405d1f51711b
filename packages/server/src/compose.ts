import { createCaches } from './registry/caches.ts';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { createLane } from '@catalog/core/lane';
import type { Objects } from '@catalog/core/ports/objects';
import type { Signer } from '@catalog/core/ports/signer';
import type { Store } from '@catalog/core/ports/store';
import { harnessCapabilities } from '@catalog/harness/registry';
import { monotonicMs, now } from './adapters/clock.ts';
import { resolveHost, type EgressRules } from './adapters/egress/check-address.ts';
import { createSendRequest } from './adapters/egress/send-request.ts';
import { createCircuitBreaker } from './adapters/embedder/circuit-breaker.ts';
import { openEmbedders, type Embedders } from './adapters/embedder/open-embedder.ts';
import { newId, newSecret, newWebhookSecret } from './adapters/id.ts';
import { openFilesystemObjects } from './adapters/objects/filesystem-objects.ts';
import type { S3Options } from './adapters/objects/s3-client.ts';
import { createLeasedQuota } from './adapters/quota/leased-quota.ts';
import { openSigner } from './adapters/signer/open-signer.ts';
import type { GitOptions } from './adapters/source/git/git-options.ts';
import { createGitSource } from './adapters/source/git/git-source.ts';
import { createLocalSource } from './adapters/source/local/local-source.ts';
import { watchGitHosts } from './adapters/source/watch-git-hosts.ts';
import { openSqliteStore } from './adapters/store/sqlite/open-store.ts';
import {
  openVectorBackend,
  type VectorBackend,
} from './adapters/vector-engine/open-vector-backend.ts';
import { openReceiverFile } from './adapters/webhook/receiver-file.ts';
import { toWebhookRules } from './adapters/webhook/webhook-rules.ts';
import { openWebhookSender } from './adapters/webhook/webhook-sender.ts';
import type { Telemetry } from './adapters/telemetry/open-telemetry.ts';
import { openWebUi, type WebUi } from './browser/open-web-ui.ts';
import { composeTelemetry } from './compose-telemetry.ts';
import type { Settings } from './config/settings.ts';
import { createStoredKeys } from './identity/oidc/stored-keys.ts';
import { openIdentityProvider } from './identity/open-provider.ts';
import type { IdentityProvider } from './identity/provider.ts';
import { createDependencies, type Dependencies } from './observe/dependencies.ts';
import type { Log } from './observe/log.ts';
import { readLastRuns } from './observe/last-runs.ts';
import { openMetrics, type Metrics } from './observe/metrics.ts';
import { observeTelemetry } from './observe/observe-telemetry.ts';
import { traceMethods, traceStore } from './observe/trace-methods.ts';
import { rejectPartialRestore } from './operations/reject-partial-restore.ts';
import { guardSource, toArtifactChecks, toTypeProviders } from './plugins/plugin-checks.ts';
import type { Plugins } from './plugins/load-plugins.ts';
import { maxEventStreams } from './http/connection-limits.ts';
import { createReadLog } from './registry/audit/read-log.ts';
import { createQueryRedaction } from './registry/audit/redact-query.ts';
import { EventStream } from './registry/events/event-stream.ts';
import { StreamPlaces } from './registry/events/stream-places.ts';
import { createDeclaredSources, type DeclaredSources } from './registry/layers/declared-sources.ts';
import {
  guardObjects,
  type GuardedObjects,
  type OwnerChange,
} from './registry/object-store/guard-objects.ts';
import type { Registry, RegistrySettings } from './registry/registry.ts';
import { loadPublishedKeys } from './registry/signing/published-keys.ts';

/** Registry with its adapters, ready for the HTTP server and background jobs. */
export interface ComposedRegistry {
  registry: Registry;
  objects: GuardedObjects;
  identity: IdentityProvider;
  web_ui: WebUi | undefined;
  metrics: Metrics;
  dependencies: Dependencies;
  announceStop(): void;
  /** Ends the waiting of callers for jobs that run only after the next start. */
  stopWaiting(): void;
  close(): Promise<void>;
}

/** Assembles a registry. This is the only module that creates adapters. */
export async function composeRegistry(
  settings: Settings,
  plugins: Plugins,
  open: (settings: Settings) => Promise<Store> = openStore,
  log?: Pick<Log, 'debug' | 'info' | 'warn'>,
): Promise<ComposedRegistry> {
  const send = createSendRequest(identityRules(settings), resolveHost);
  const stored = createStoredKeys(() => store);
  const identity = openIdentityProvider(settings, { send, stored, now, monotonicMs });
  const web_ui = await openWebUi(settings, { send, identity, newSecret, now });
  const untraced = { objects: await openObjects(settings), store: await open(settings) };
  const telemetry = await openTelemetry(settings, untraced.store, () => metrics, log);
  const tracing = telemetry?.tracing;
  const store = tracing === undefined ? untraced.store : traceStore(tracing, untraced.store);
  const traced = <Port extends object>(part: string, port: Port): Port =>
    tracing === undefined ? port : traceMethods(tracing, part, port);
  const sendOften = createSendRequest(egressRules(settings), resolveHost, { connections: 'kept' });
  const embedders = openEmbedders(settings, {
    send: sendOften,
    monotonicMs,
    observe: (request) => metrics.observeEmbedding(request),
  });
  let backend: VectorBackend;
  let signer: Signer | undefined;
  try {
    await rejectPartialRestore(store);
    const published = await loadPublishedKeys(store);
    signer = openSigner(settings, published?.signing === 'active');
    backend = await openVectorBackend(settings, {
      store,
      send: sendOften,
      breaker: createCircuitBreaker(monotonicMs),
      embedders,
    });
  } catch (error) {
    // Open connections would keep the failed process running.
    await store.close();
    throw error;
  }
  const objects = guardObjects({
    objects: traced('objects', untraced.objects),
    store,
    newId,
    onChange: (change, identity) => logOwnerChange(store, log, change, identity),
  });
  const events = new EventStream(store);
  const stopping = new AbortController();
  const declared = createDeclaredSources();
  const git = createGitSource(gitOptions(settings, store, declared));
  const hosts = watchGitHosts(git, monotonicMs);
  const dependencies = createDependencies({
    object_store: (signal) => objects.probe(signal),
    identity_provider: () => identity.check(),
    embedding_provider: () => checkProviders(embedders),
    git_host: (signal) => hosts.check(signal),
  });
  const read_log = createReadLog({
    reads: settings['audit.reads'],
    queries: settings['audit.queries'],
    counts: settings['usage.counts'],
    public_mode: settings.public_mode,
    redactQuery: createQueryRedaction({
      enabled: settings['pii_redaction.enabled'],
      patterns: settings['pii_redaction.patterns'],
    }),
    now: () => store.now(),
  });
  const metrics = openMetrics({
    jobs: store.jobs,
    outbox: store.outbox,
    dispatches: store.dispatches,
    store,
    countWaiting: () => countWaiting(store, backend),
    relayed: () => events.positions(),
    providers: () => embedders.listProviders(),
    listDegraded: () => dependencies.listDegraded(),
    reads: read_log,
    getLastRun: readLastRuns(objects, monotonicMs),
    now: () => store.now(),
  });
  const store_path = settings['webhooks.store_path'];
  const sender = openWebhookSender({
    rules: toWebhookRules(egressRules(settings), settings['webhooks.allowed_targets']),
    resolve: resolveHost,
    monotonicMs,
    now,
  });
  let isStopping = false;
  const registry: Registry = {
    store,
    objects,
    sources: {
      git: guardSource(traced('git', hosts.source), plugins),
      local: guardSource(
        traced('folder', createLocalSource({ limits: layerLimits(settings) })),
        plugins,
      ),
    },
    tracing,
    copies: git.copies,
    quota: createLeasedQuota({
      leases: store.quota,
      availability: () => store.availability(),
      monotonicMs,
      onFailure: (error) =>
        log?.warn(
          { error },
          'failed to lease from a rate limit; each process applies its share until leases succeed',
        ),
    }),
    search: {
      ...backend,
      embedder: backend.embedder && traced('embedder', backend.embedder),
      openEmbedder(model) {
        const embedder = backend.openEmbedder(model);
        return embedder && traced('embedder', embedder);
      },
      fusion: settings['search.fusion'],
      onDegraded: () => metrics.observeDegraded(),
    },
    webhooks: {
      sender,
      file: store_path === undefined ? undefined : openReceiverFile(store_path),
      newSecret: newWebhookSecret,
      schedule_ms: settings['webhooks.retry_schedule'].map((seconds) => seconds * 1000),
      concurrency: settings['webhooks.concurrency'],
      receiver_concurrency: settings['webhooks.receiver_concurrency'],
      tests: createLane(settings['webhooks.concurrency']),
    },
    signer,
    events,
    read_log,
    stream_places: new StreamPlaces({
      per_user: settings['events.max_streams_per_user'],
      per_address: settings['events.max_streams_per_address'],
      total: maxEventStreams(),
    }),
    stopping: stopping.signal,
    now: () => store.now(),
    newId,
    newSecret,
    settings: registrySettings(settings),
    declared,
    capabilities: harnessCapabilities(),
    type_providers: toTypeProviders(plugins),
    checks: toArtifactChecks(plugins),
    caches: createCaches(),
    isStopping: () => isStopping,
    listDegraded: () => dependencies.listDegraded(),
  };
  return {
    registry,
    objects,
    identity,
    web_ui,
    metrics,
    dependencies,
    announceStop: () => void (isStopping = true),
    stopWaiting: () =>
      stopping.abort(
        new CatalogError(
          'registry.unavailable',
          'The registry is stopping. The ingest is queued and runs after the next start.',
        ),
      ),
    async close() {
      identity.close();
      events.close();
      await telemetry?.close();
      await sender.close();
      await git.close();
      await store.close();
    },
  };
}

/** Opens telemetry for `catalog serve`; administration commands export none. */
function openTelemetry(
  settings: Settings,
  store: Store,
  metrics: () => Metrics,
  log: Pick<Log, 'info' | 'warn'> | undefined,
): Promise<Telemetry | undefined> {
  if (log === undefined) return Promise.resolve(undefined);
  const rules = egressRules(settings, [settings['telemetry.otlp_endpoint']]);
  return composeTelemetry(settings, {
    store,
    send: createSendRequest(rules, resolveHost, { connections: 'kept' }),
    collect: () => metrics().collect(),
    ...observeTelemetry(log, metrics),
  });
}

/** Logs a new owner of the object store, except for a new registry. */
async function logOwnerChange(
  { archive }: Store,
  log: Pick<Log, 'debug' | 'info' | 'warn'> | undefined,
  change: OwnerChange,
  identity: string,
): Promise<void> {
  if (change === 'renewed') {
    log?.warn({ identity }, 'the database was promoted: it has a new identity');
    return;
  }
  const level = (await archive.isEmpty()) ? 'debug' : 'info';
  log?.[level]({ identity }, 'claimed the object store for this database');
}

async function countWaiting({ embeddings }: Store, { embedder }: VectorBackend): Promise<number> {
  if (embedder === undefined) return 0;
  const { waiting } = await embeddings.countWaiting(embedder.model.name);
  return waiting;
}

/** Fails while an embedding provider is paused after failed requests. */
async function checkProviders({ listProviders }: Embedders): Promise<void> {
  const paused = listProviders().find(({ state }) => state !== 'closed');
  if (paused !== undefined) throw new Error(`requests to ${paused.provider} failed`);
}

/** Opens the configured store. The PostgreSQL driver is loaded only if needed. */
export async function openStore(
  settings: Settings,
  log?: Pick<Log, 'info' | 'warn'>,
): Promise<Store> {
  const { 'store.dsn': dsn } = settings;
  if (settings['store.type'] === 'sqlite' || dsn === undefined) {
    return openSqliteStore({
      path: settings['store.sqlite_path'],
      onStep:
        log && (({ number, name }) => log.info({ step: number, name }, 'migrating the schema')),
    });
  }
  const { openPostgresStore } = await import('./adapters/store/postgres/open-store.ts');
  return openPostgresStore({
    dsn,
    replica_dsns: settings['store.replica_dsns'],
    migration_dsn: settings['store.migration_dsn'],
    pool_size: settings['store.pool_size'],
    statement_timeout_ms: settings['store.statement_timeout_seconds'] * 1000,
    probe_interval_ms: settings['read_only.probe_interval_seconds'] * 1000,
    probe_failures: settings['read_only.probe_failures'],
    onConnectionShortage:
      log &&
      ((shortage) =>
        log.warn(
          { ...shortage, pool_size: settings['store.pool_size'] },
          'PostgreSQL has too few connections; raise max_connections or lower store.pool_size',
        )),
  });
}

/** Opens the configured object store: a directory or an S3 bucket. */
export async function openObjects(settings: Settings): Promise<Objects> {
  const bucket = settings['object_store.bucket'];
  if (settings['object_store.type'] === 'filesystem' || bucket === undefined) {
    return openFolder(settings['object_store.filesystem_root']);
  }
  const { openS3Objects } = await import('./adapters/objects/s3-objects.ts');
  return openS3Objects(s3Options(settings, bucket));
}

/** Opens a directory as an object store, and throws `config.invalid` if that fails. */
export async function openFolder(root: string): Promise<Objects> {
  try {
    return await openFilesystemObjects({ root, newId });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('config.invalid', `Object directory ${root}: ${why}`, {
      details: { key: 'object_store.filesystem_root', path: root },
      suggested_action: `Make ${root} a directory that the registry can write, or use another one.`,
      cause,
    });
  }
}

function s3Options(settings: Settings, bucket: string): S3Options {
  const access_key_id = settings['object_store.access_key_id'];
  const secret_access_key = settings['object_store.secret_access_key'];
  return {
    bucket,
    endpoint: settings['object_store.endpoint'],
    public_endpoint: settings['object_store.public_endpoint'],
    region: settings['object_store.region'],
    force_path_style: settings['object_store.force_path_style'],
    credentials:
      access_key_id === undefined || secret_access_key === undefined
        ? undefined
        : { access_key_id, secret_access_key },
    prefix: settings['object_store.prefix'] ?? '',
    presign_ttl_seconds: settings['object_store.presign_ttl_seconds'],
    egress: egressRules(settings),
    now,
  };
}

/** Returns the egress rules, which also allow the hosts of URLs that the operator configured. */
function egressRules(settings: Settings, named: readonly (string | undefined)[] = []): EgressRules {
  return {
    allowed_hosts: [...settings['egress.allowed_hosts'], ...named.flatMap(hostOf)],
    proxy: {
      http: settings['proxy.http'],
      https: settings['proxy.https'],
      except: settings['proxy.except'],
    },
    ca_file: settings.ca_file,
  };
}

function hostOf(address: string | undefined): string[] {
  const url = URL.parse(address ?? '');
  if (url === null) return [];
  return [`${url.hostname}:${url.port || (url.protocol === 'http:' ? '80' : '443')}`];
}

function identityRules(settings: Settings): EgressRules {
  return egressRules(settings, [
    settings['identity_provider.issuer'],
    settings['web_ui.oauth_token_endpoint'],
  ]);
}

const GIT_HOST_LIMIT_MS = 10_000;

function gitOptions(settings: Settings, { tenants }: Store, declared: DeclaredSources): GitOptions {
  return {
    folder: settings['git.folder'],
    search_path: settings['git.search_path'],
    egress: egressRules(settings),
    resolve: resolveHost,
    credentials: settings['git.credentials'],
    tenants: settings.multi_tenant
      ? {
          nameOf: async (tenant) => (await tenants.get(tenant))?.name,
          isDeclared: (tenant, layer) => declared.has(tenant, layer),
        }
      : undefined,
    known_hosts: settings['git.known_hosts'],
    limits: {
      ...layerLimits(settings),
      time_ms: settings['ingest.timeout'] * 1000,
      personal_time_ms: settings['ingest.personal_timeout'] * 1000,
      probe_time_ms: GIT_HOST_LIMIT_MS,
      connect_time_ms: GIT_HOST_LIMIT_MS,
    },
  };
}

function layerLimits(settings: Settings): { bytes: number; files: number } {
  return {
    bytes: settings['ingest.max_layer_bytes'],
    files: settings['ingest.max_layer_files'],
  };
}

function registrySettings(settings: Settings): RegistrySettings {
  return {
    public_mode: settings.public_mode,
    open: settings['identity_provider.type'] === undefined,
    // Undefined only on loopback, where writes are allowed by default.
    open_writes: settings.open_writes ?? 'allow',
    multi_tenant: settings.multi_tenant,
    operators: new Set(settings.operator_admins),
    default_quota: {
      storage_bytes: settings['quota.storage_bytes'],
      search_qps: settings['quota.search_qps'],
      materialize_rate: settings['quota.materialize_rate'],
      audit_volume_per_day: settings['quota.audit_volume_per_day'],
      max_user_layers: 0,
    },
    max_user_layers: settings.max_user_layers,
    artifact_count_quota: settings['quota.artifact_count'],
    // Empty if the URL follows from the bind address, which is known later.
    public_url: settings.public_url ?? '',
    has_web_ui: settings['web_ui.enabled'],
    sandbox: {
      enforced: settings.enforce_sandbox_profile,
      profiles: settings.host_sandboxes,
    },
    dev: settings.dev,
    discovery: {
      max_depth: settings['discovery.max_depth'],
      notable_count: settings['discovery.notable_count'],
      fold_below_artifacts: settings['discovery.fold_below_artifacts'],
      fold_passthrough_chains: settings['discovery.fold_passthrough_chains'],
      target_response_tokens: settings['discovery.target_response_tokens'],
      allow_per_domain_overrides: settings['discovery.allow_per_domain_overrides'],
    },
    expose_scope_preview: settings['tenant.expose_scope_preview'],
    executable_content: settings.executable_content,
    extends_parents: settings['extends.parents'],
    freeze_windows: settings.freeze_windows,
    read_retention_days: settings['audit.read_retention_days'],
    layer_recovery_days: settings.layer_recovery_days,
    lint_limits: {
      file_bytes: settings['lint.per_file_soft_cap_bytes'],
      package_bytes: settings['lint.per_package_soft_cap_bytes'],
    },
  };
}
