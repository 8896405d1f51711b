import { createCaches } from '@catalog/server/registry/caches';
import { harnessCapabilities } from '@catalog/harness/registry';
import { createLane } from '@catalog/core/lane';
import type { IngestReport } from '@catalog/contract/records/ingest';
import type { NewLayer } from '@catalog/core/ports/layers';
import type { LayerSource, SourceReading } from '@catalog/core/ports/layer-source';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { createMemoryObjects } from '@catalog/server/adapters/objects/memory-objects';
import { monotonicMs } from '@catalog/server/adapters/clock';
import { newId, newSecret } from '@catalog/server/adapters/id';
import { createLeasedQuota } from '@catalog/server/adapters/quota/leased-quota';
import { openSqliteStore } from '@catalog/server/adapters/store/sqlite/open-store';
import { createReadLog } from '@catalog/server/registry/audit/read-log';
import { EventStream } from '@catalog/server/registry/events/event-stream';
import { StreamPlaces } from '@catalog/server/registry/events/stream-places';
import { runIngest } from '@catalog/server/registry/ingest/run-ingest';
import { createDeclaredSources } from '@catalog/server/registry/layers/declared-sources';
import type { CallContext, Registry, RegistrySettings } from '@catalog/server/registry/registry';
import { authoredPackage, type PackageTexts } from './authored-package.ts';
import { newLayer } from './layer-record.ts';

/** Content of a layer: packages by id, and `DOMAIN.md` files by path. */
export interface LayerContent {
  packages?: Readonly<Record<string, PackageTexts>>;
  domains?: Readonly<Record<string, string>>;
}

/** Registry without a server and background jobs. */
export interface MemoryRegistry {
  registry: Registry;
  context: CallContext;
  addLayer: (id: string, more?: Partial<NewLayer>) => Promise<void>;
  /** Sets the content that the next ingest of a layer reads. */
  setContent: (layer: string, content: LayerContent) => void;
  ingest: (layer: string, content: LayerContent) => Promise<IngestReport>;
  /** Runs pending ingests and returns their layers. */
  runWaiting: () => Promise<string[]>;
  close: () => Promise<void>;
}

const SETTINGS: RegistrySettings = {
  public_mode: false,
  open: true,
  open_writes: 'allow',
  multi_tenant: false,
  operators: new Set(),
  default_quota: {
    storage_bytes: 0,
    search_qps: 0,
    materialize_rate: 0,
    audit_volume_per_day: 0,
    max_user_layers: 0,
  },
  max_user_layers: undefined,
  artifact_count_quota: 0,
  public_url: 'http://127.0.0.1:8080',
  has_web_ui: false,
  sandbox: { enforced: false, profiles: [] },
  dev: false,
  discovery: { allow_per_domain_overrides: true },
  expose_scope_preview: true,
  executable_content: [],
  extends_parents: 'any',
  freeze_windows: [],
  layer_recovery_days: 30,
  read_retention_days: 400,
};

/** Opens a registry whose clock starts at `moment` and advances by one second per call. With a path, its store is a file. */
export async function openMemoryRegistry(
  settings: Partial<RegistrySettings> = {},
  path = ':memory:',
): Promise<MemoryRegistry> {
  const contents = new Map<string, LayerContent>();
  let moment = Date.UTC(2026, 0, 1);
  const source: LayerSource = {
    read: async (_tenant, layer, request) => ({
      ...toReading(layer.id, contents.get(layer.id) ?? {}),
      complete: request.full,
    }),
    probe: async () => '',
  };
  const store = await openSqliteStore({ path });
  const now = (): Date => new Date((moment += 1000));
  const registry: Registry = {
    store,
    objects: createMemoryObjects(now),
    sources: { git: source, local: source },
    copies: { list: async () => [], remove: async () => {} },
    quota: createLeasedQuota({
      leases: store.quota,
      availability: () => store.availability(),
      monotonicMs,
    }),
    // Without embeddings, which need a background job.
    search: {
      vectors: store.vectors,
      external: false,
      embedder: undefined,
      openEmbedder: () => undefined,
      fusion: 'cosine',
      onDegraded: () => undefined,
    },
    // Webhooks are not sent, because that needs a background job.
    webhooks: {
      sender: {
        check: async () => undefined,
        send: async () => ({ kind: 'failed', reason: 'there is no network', duration_ms: 0 }),
        close: async () => undefined,
      },
      file: undefined,
      newSecret,
      schedule_ms: [],
      concurrency: 1,
      receiver_concurrency: 1,
      tests: createLane(1),
    },
    signer: undefined,
    events: new EventStream(store),
    read_log: createReadLog({
      reads: 'all',
      queries: false,
      counts: true,
      public_mode: settings.public_mode ?? false,
      redactQuery: (query) => query,
      now,
    }),
    stream_places: new StreamPlaces({ per_user: 0, per_address: 0, total: 0 }),
    stopping: new AbortController().signal,
    now,
    newId,
    newSecret,
    settings: { ...SETTINGS, ...settings },
    declared: createDeclaredSources(),
    capabilities: harnessCapabilities(),
    type_providers: new Map(),
    checks: [],
    caches: createCaches(),
    tracing: undefined,
    isStopping: () => false,
    listDegraded: () => [],
  };
  const signal = new AbortController().signal;
  const context: CallContext = {
    tenant: ONLY_TENANT,
    caller: { kind: 'open' },
    trace_id: '0'.repeat(32),
    signal,
    revision: undefined,
    record: undefined,
  };

  async function runNext(): Promise<IngestReport | undefined> {
    const now = registry.now().toISOString();
    const job = await registry.store.transaction((writes) =>
      writes.jobs.claim({ name: 'test', now, lease_until: '2999-01-01T00:00:00.000Z' }),
    );
    if (job === undefined) return undefined;
    return runIngest(registry, job, { report: () => {} }, signal);
  }

  return {
    registry,
    context,
    addLayer: async (id, more = {}) => {
      await store.transaction(async (writes) => {
        const order = ((await writes.layers.list(ONLY_TENANT)).length + 1) * 10;
        const created_at = registry.now().toISOString();
        await writes.layers.create(ONLY_TENANT, newLayer({ id, order, created_at, ...more }));
      });
    },
    setContent: (layer_id, content) => void contents.set(layer_id, content),
    ingest: async (layer_id, content) => {
      contents.set(layer_id, content);
      await store.transaction((writes) =>
        writes.jobs.enqueue(ONLY_TENANT, {
          job: newId(),
          layer_id,
          request: { full: true, retry: [], trigger: 'reingest' },
          now: registry.now().toISOString(),
        }),
      );
      const report = await runNext();
      if (report === undefined) throw new Error('no job waited');
      return report;
    },
    runWaiting: async () => {
      const layers: string[] = [];
      for (let report = await runNext(); report !== undefined; report = await runNext()) {
        layers.push(report.layer);
      }
      return layers;
    },
    close: async () => {
      registry.events.close();
      await store.close();
    },
  };
}

function toReading(layer: string, { packages = {}, domains = {} }: LayerContent): SourceReading {
  const encoder = new TextEncoder();
  const snapshot: LayerSnapshot = {
    layer,
    packages: Object.entries(packages).map(([id, files]) => authoredPackage(id, files, layer)),
    domains: Object.entries(domains).map(([path, text]) => ({ path, bytes: encoder.encode(text) })),
    refused: [],
  };
  return {
    reference: '',
    source_state: 'read',
    copy_bytes: 0,
    complete: true,
    snapshot,
    removed: { artifacts: [], domains: [] },
    rewritten: undefined,
    advisories: [],
  };
}
