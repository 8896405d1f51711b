import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';
import { DEGRADABLE_PARTS, type DegradablePart } from '@catalog/contract/records/operations';
import type { DispatchReads } from '@catalog/core/ports/dispatches';
import type { JobReads } from '@catalog/core/ports/jobs';
import type { MaintenanceRun } from '@catalog/core/ports/objects';
import type { OutboxReads } from '@catalog/core/ports/outbox';
import { SERVER_ROLES } from '@catalog/core/ports/availability';
import type { Store } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { ReadLog } from '../registry/audit/read-log.ts';
import { inTime } from '../adapters/in-time.ts';
import { METRICS } from './metric-table.ts';

export interface Metrics {
  observeRequest(request: ObservedRequest): void;
  observeIngest(outcome: 'done' | 'failed', seconds: number): void;
  observeMode(mode: 'ready' | 'read_only'): void;
  observeEmbedding(request: ObservedEmbedding): void;
  observeDegraded(): void;
  observeEmbedded(outcome: { made: number; failed: number }): void;
  observeWebhook(outcome: 'delivered' | 'failed', seconds: number): void;
  observeSpans(outcome: 'exported' | 'dropped', count: number): void;
  observeExport(signal: 'traces' | 'metrics', outcome: 'succeeded' | 'failed'): void;
  contentType: string;
  metrics(): Promise<string>;
  collect(): Promise<MetricObjectWithValues<MetricValue<string>>[]>;
}

export interface ObservedRequest {
  endpoint: string;
  status: number;
  duration_ms: number;
}

export interface ObservedEmbedding {
  provider: string;
  side: 'document' | 'query';
  outcome: 'answered' | 'busy' | 'failed';
  seconds: number;
}

export interface Observed {
  jobs: JobReads;
  outbox: OutboxReads;
  dispatches: DispatchReads;
  store: Pick<Store, 'availability' | 'servers'>;
  countWaiting(): Promise<number>;
  /** Returns the newest event that readers of this process received, by tenant. */
  relayed(): ReadonlyMap<Tenant, number>;
  providers(): readonly { provider: string; state: 'closed' | 'half_open' | 'open' }[];
  listDegraded(): readonly DegradablePart[];
  reads: Pick<ReadLog, 'size' | 'countLost'>;
  getLastRun(run: MaintenanceRun): Promise<string | undefined>;
  now(): Date;
}

export function openMetrics(observed: Observed): Metrics {
  const register = new Registry();
  const registers = [register];
  const requests = new Counter({ ...optionsOf(METRICS.requests), registers });
  const durations = new Histogram({
    ...optionsOf(METRICS.request_durations),
    buckets: [...METRICS.request_durations.buckets],
    registers,
  });
  const ingests = new Histogram({
    ...optionsOf(METRICS.ingest_durations),
    buckets: [...METRICS.ingest_durations.buckets],
    registers,
  });
  for (const outcome of ['done', 'failed']) ingests.zero({ outcome });
  addJobGauges(observed, registers);
  addOutboxGauges(observed, registers);
  addStoreGauges(observed, registers);
  addWaitingGauge(observed, registers);
  const degraded = new Counter({ ...optionsOf(METRICS.searches_degraded), registers });
  const embedded = new Counter({ ...optionsOf(METRICS.embedded), registers });
  const modes = new Counter({ ...optionsOf(METRICS.mode_changes), registers });
  const embeddings = new Counter({ ...optionsOf(METRICS.embedding_requests), registers });
  const embedding_durations = new Histogram({
    ...optionsOf(METRICS.embedding_durations),
    buckets: [...METRICS.embedding_durations.buckets],
    registers,
  });
  const webhooks = new Counter({ ...optionsOf(METRICS.webhook_attempts), registers });
  for (const outcome of ['delivered', 'failed']) webhooks.inc({ outcome }, 0);
  const webhook_durations = new Histogram({
    ...optionsOf(METRICS.webhook_durations),
    buckets: [...METRICS.webhook_durations.buckets],
    registers,
  });
  const spans = new Counter({ ...optionsOf(METRICS.telemetry_spans), registers });
  const exports = new Counter({ ...optionsOf(METRICS.telemetry_exports), registers });
  addWebhookGauges(observed, registers);
  addProviderGauge(observed, registers);
  addDegradedGauge(observed, registers);
  addReadMetrics(observed, registers);
  addAgeGauge(METRICS.backup_age, 'backup', observed, registers);
  addAgeGauge(METRICS.verification_age, 'verification', observed, registers);

  /** Cache of series: looking one up by its labels takes longer than counting. */
  const series = new Map<string, RequestSeries>();
  function seriesOf(endpoint: string): RequestSeries {
    let known = series.get(endpoint);
    if (known === undefined) {
      const counts = STATUS_CLASSES.map((status) => requests.labels({ endpoint, status }));
      known = { counts, duration: durations.labels({ endpoint }) };
      series.set(endpoint, known);
    }
    return known;
  }

  /** Requests that are counted later: batches are cheaper. */
  let waiting: ObservedRequest[] = [];
  function count(): void {
    const observed = waiting;
    waiting = [];
    for (const { endpoint, status, duration_ms } of observed) {
      const { counts, duration } = seriesOf(endpoint);
      counts[Math.floor(status / 100)]?.inc();
      duration.observe(duration_ms / 1000);
    }
  }

  return {
    observeRequest(request) {
      if (waiting.push(request) >= MAX_WAITING) count();
    },
    observeIngest(outcome, seconds) {
      ingests.observe({ outcome }, seconds);
    },
    observeMode(mode) {
      modes.inc({ mode });
    },
    observeEmbedding({ provider, side, outcome, seconds }) {
      embeddings.inc({ provider, side, outcome });
      embedding_durations.observe({ provider, side }, seconds);
    },
    observeDegraded() {
      degraded.inc();
    },
    observeEmbedded({ made, failed }) {
      embedded.inc({ outcome: 'made' }, made);
      embedded.inc({ outcome: 'failed' }, failed);
    },
    observeWebhook(outcome, seconds) {
      webhooks.inc({ outcome });
      webhook_durations.observe(seconds);
    },
    observeSpans(outcome, count) {
      spans.inc({ outcome }, count);
    },
    observeExport(signal, outcome) {
      exports.inc({ signal, outcome });
    },
    contentType: register.contentType,
    metrics() {
      count();
      return Registry.merge([register, ofProcess()]).metrics();
    },
    collect() {
      count();
      return Registry.merge([register, ofProcess()]).getMetricsAsJSON();
    },
  };
}

function optionsOf<Label extends string>({
  name,
  help,
  labelNames,
}: {
  name: string;
  help: string;
  labelNames: readonly Label[];
}): { name: string; help: string; labelNames: Label[] } {
  return { name, help, labelNames: [...labelNames] };
}

interface RequestSeries {
  counts: Counter.Internal[];
  duration: Histogram.Internal<'endpoint'>;
}

const MAX_WAITING = 500;
const STATUS_CLASSES = ['0xx', '1xx', '2xx', '3xx', '4xx', '5xx'];

let processRegister: Registry | undefined;

/** Returns memory, CPU and event loop metrics of the process, collected from the first call on. */
function ofProcess(): Registry {
  if (processRegister === undefined) {
    processRegister = new Registry();
    collectDefaultMetrics({ register: processRegister, eventLoopMonitoringPrecision: 100 });
  }
  return processRegister;
}

function addJobGauges(observed: Observed, registers: Registry[]): void {
  const jobs: Gauge<'state'> = new Gauge({
    ...optionsOf(METRICS.jobs),
    registers,
    async collect() {
      const depth = await queryOrUndefined(() => observed.jobs.depth());
      jobs.set({ state: 'queued' }, depth?.queued ?? UNKNOWN);
      jobs.set({ state: 'running' }, depth?.running ?? UNKNOWN);
    },
  });
  const wait: Gauge = new Gauge({
    ...optionsOf(METRICS.job_wait),
    registers,
    async collect() {
      const depth = await queryOrUndefined(() => observed.jobs.depth());
      wait.set(depth === undefined ? UNKNOWN : secondsSince(depth.oldest_created_at, observed));
    },
  });
}

function addWaitingGauge(observed: Observed, registers: Registry[]): void {
  const waiting: Gauge = new Gauge({
    ...optionsOf(METRICS.embeddings_waiting),
    registers,
    async collect() {
      waiting.set((await queryOrUndefined(() => observed.countWaiting())) ?? UNKNOWN);
    },
  });
}

function addWebhookGauges(observed: Observed, registers: Registry[]): void {
  const depth = () => queryOrUndefined(() => observed.dispatches.depth());
  const pending: Gauge = new Gauge({
    ...optionsOf(METRICS.webhook_pending),
    registers,
    async collect() {
      pending.set((await depth())?.pending ?? UNKNOWN);
    },
  });
  const wait: Gauge = new Gauge({
    ...optionsOf(METRICS.webhook_wait),
    registers,
    async collect() {
      const found = await depth();
      wait.set(found === undefined ? UNKNOWN : secondsSince(found.oldest_created_at, observed));
    },
  });
  const disabled: Gauge = new Gauge({
    ...optionsOf(METRICS.webhook_disabled),
    registers,
    async collect() {
      disabled.set((await depth())?.disabled_receivers ?? UNKNOWN);
    },
  });
}

function secondsSince(moment: string | null, observed: Observed): number {
  if (moment === null) return 0;
  return Math.max(0, (observed.now().getTime() - Date.parse(moment)) / 1000);
}

function addOutboxGauges(observed: Observed, registers: Registry[]): void {
  const lag: Gauge = new Gauge({
    ...optionsOf(METRICS.outbox_lag),
    registers,
    async collect() {
      lag.set((await queryOrUndefined(() => countLag(observed))) ?? UNKNOWN);
    },
  });
  const kept: Gauge = new Gauge({
    ...optionsOf(METRICS.outbox_events),
    registers,
    async collect() {
      kept.set((await queryOrUndefined(() => observed.outbox.count())) ?? UNKNOWN);
    },
  });
}

/** Returns the sum over all tenants, because metrics must not reveal tenants. */
async function countLag(observed: Observed): Promise<number> {
  let lag = 0;
  for (const [tenant, position] of observed.relayed()) {
    const { newest } = await observed.outbox.bounds(tenant);
    lag += Math.max(0, newest - position);
  }
  return lag;
}

const UNKNOWN = Number.NaN;

/** Timeout of a query, below the default scrape timeout of Prometheus (10 s). */
const QUERY_TIMEOUT_MS = 4_000;

/** Runs a query. Returns undefined if it fails or hangs, so that the other metrics are still available. */
function queryOrUndefined<Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> {
  return inTime(question(), QUERY_TIMEOUT_MS).catch(() => undefined);
}

function addStoreGauges({ store }: Observed, registers: Registry[]): void {
  const mode: Gauge = new Gauge({
    ...optionsOf(METRICS.read_only),
    registers,
    collect: () => mode.set(Number(store.availability().mode === 'read_only')),
  });
  const servers: Gauge<'server' | 'role'> = new Gauge({
    ...optionsOf(METRICS.store_servers),
    registers,
    collect() {
      servers.reset();
      for (const { name, role } of store.servers()) {
        for (const one of SERVER_ROLES)
          servers.set({ server: name, role: one }, Number(one === role));
      }
    },
  });
  const lag: Gauge<'server'> = new Gauge({
    ...optionsOf(METRICS.replica_lag),
    registers,
    collect() {
      lag.reset();
      for (const { name, lag_seconds } of store.servers()) {
        if (lag_seconds !== null) lag.set({ server: name }, lag_seconds);
      }
    },
  });
  const connections: Gauge<'server' | 'state'> = new Gauge({
    ...optionsOf(METRICS.store_connections),
    registers,
    collect() {
      for (const { name, connections: counts } of store.servers()) {
        for (const [state, count] of Object.entries(counts)) {
          connections.set({ server: name, state }, count);
        }
      }
    },
  });
}

function addProviderGauge(observed: Observed, registers: Registry[]): void {
  const open: Gauge<'provider'> = new Gauge({
    ...optionsOf(METRICS.embedding_breakers),
    registers,
    collect() {
      for (const { provider, state } of observed.providers()) {
        open.set({ provider }, Number(state === 'open'));
      }
    },
  });
}

function addDegradedGauge(observed: Observed, registers: Registry[]): void {
  const gauge: Gauge<'part'> = new Gauge({
    ...optionsOf(METRICS.degraded),
    registers,
    collect() {
      const degraded = observed.listDegraded();
      for (const part of DEGRADABLE_PARTS) gauge.set({ part }, Number(degraded.includes(part)));
    },
  });
}

function addReadMetrics({ reads }: Observed, registers: Registry[]): void {
  const held: Gauge = new Gauge({
    ...optionsOf(METRICS.reads_held),
    registers,
    collect: () => held.set(reads.size()),
  });
  const lost: Counter = new Counter({
    ...optionsOf(METRICS.reads_lost),
    registers,
    collect() {
      lost.reset();
      lost.inc(reads.countLost());
    },
  });
}

/** Adds a gauge for the age of a run. If the run never succeeded, the age is infinite, so that alerts match. */
function addAgeGauge(
  row: typeof METRICS.backup_age | typeof METRICS.verification_age,
  run: MaintenanceRun,
  observed: Observed,
  registers: Registry[],
): void {
  const gauge: Gauge = new Gauge({
    ...optionsOf(row),
    registers,
    async collect() {
      const found = await queryOrUndefined(async () => ({ time: await observed.getLastRun(run) }));
      if (found === undefined) gauge.set(UNKNOWN);
      else gauge.set(found.time === undefined ? Infinity : secondsSince(found.time, observed));
    },
  });
}
