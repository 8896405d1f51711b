import { expect, test } from 'vitest';
import { openMetrics, type Observed } from './metrics.ts';

const NOW = new Date('2026-01-01T00:01:00Z');

function observed(more: Partial<Observed> = {}): Observed {
  return {
    reads: { size: () => 3, countLost: () => 2 },
    jobs: {
      get: async () => undefined,
      list: async () => [],
      listFailed: async () => [],
      listFailedTenants: async () => [],
      listWorkers: async () => [],
      depth: async () => ({
        queued: 2,
        running: 1,
        oldest_created_at: '2026-01-01T00:00:00Z',
      }),
    },
    outbox: {
      listAfter: async () => [],
      bounds: async (tenant) => ({ oldest: 3, newest: tenant === 1 ? 12 : 5 }),
      count: async () => 10,
    },
    dispatches: {
      get: async () => undefined,
      list: async () => [],
      countPending: async () => ({ pending: 0, due: 0 }),
      listDue: async () => [],
      listWorkers: async () => [],
      depth: async () => ({
        pending: 3,
        oldest_created_at: '2026-01-01T00:00:30Z',
        disabled_receivers: 4,
      }),
    },
    store: { availability: () => ({ mode: 'ready' }), servers: () => [] },
    countWaiting: async () => 7,
    relayed: () =>
      new Map([
        [1, 10],
        [2, 4],
        [3, 6],
      ]),
    providers: () => [],
    listDegraded: () => [],
    getLastRun: async () => undefined,
    now: () => NOW,
    ...more,
  };
}

function valueOf(text: string, name: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

test('metrics count and time requests by operation and status class', async () => {
  const metrics = openMetrics(observed());
  metrics.observeRequest({ endpoint: 'load_artifact', status: 200, duration_ms: 3 });
  metrics.observeRequest({ endpoint: 'load_artifact', status: 304, duration_ms: 1 });
  metrics.observeRequest({ endpoint: 'load_artifact', status: 404, duration_ms: 600 });
  const text = await metrics.metrics();
  const at = (labels: string, metric: string): number | undefined =>
    valueOf(text, `${metric}{endpoint="load_artifact",${labels}}`);
  expect(at('status="2xx"', 'catalog_requests_total')).toBe(1);
  expect(at('status="3xx"', 'catalog_requests_total')).toBe(1);
  expect(at('status="4xx"', 'catalog_requests_total')).toBe(1);
  const bucket = (le: string): number | undefined =>
    valueOf(text, `catalog_request_duration_seconds_bucket{le="${le}",endpoint="load_artifact"}`);
  expect([bucket('0.005'), bucket('0.5'), bucket('1')]).toEqual([2, 2, 3]);
});

test('metrics count every request between two scrapes', async () => {
  const metrics = openMetrics(observed());
  for (let index = 0; index < 1234; index += 1) {
    metrics.observeRequest({ endpoint: 'healthz', status: 200, duration_ms: 1 });
    if (index === 700) await metrics.metrics();
  }
  const name = 'catalog_requests_total{endpoint="healthz",status="2xx"}';
  expect(valueOf(await metrics.metrics(), name)).toBe(1234);
});

test('metrics read the queues on each scrape', async () => {
  const text = await openMetrics(observed()).metrics();
  expect(valueOf(text, 'catalog_jobs{state="queued"}')).toBe(2);
  expect(valueOf(text, 'catalog_jobs{state="running"}')).toBe(1);
  expect(valueOf(text, 'catalog_job_oldest_wait_seconds')).toBe(60);
  expect(valueOf(text, 'catalog_outbox_lag_events')).toBe(3);
  expect(valueOf(text, 'catalog_outbox_events')).toBe(10);
  expect(valueOf(text, 'catalog_webhook_pending')).toBe(3);
  expect(valueOf(text, 'catalog_webhook_oldest_pending_seconds')).toBe(30);
  expect(valueOf(text, 'catalog_webhook_disabled_receivers')).toBe(4);
});

test('metrics report a lag of 0 without readers', async () => {
  const text = await openMetrics(observed({ relayed: () => new Map() })).metrics();
  expect(valueOf(text, 'catalog_outbox_lag_events')).toBe(0);
});

test('metrics report unknown values if the store fails, and all others', async () => {
  const fail = async (): Promise<never> => {
    throw new Error('gone');
  };
  const { jobs, outbox } = observed();
  const metrics = openMetrics(
    observed({
      jobs: { ...jobs, depth: fail },
      outbox: { ...outbox, bounds: fail, count: fail },
      store: {
        availability: () => ({ mode: 'read_only', lag_seconds: 4 }),
        servers: () => [
          {
            name: 'a:5432',
            role: 'unreachable',
            lag_seconds: null,
            connections: { open: 0, idle: 0, waiting: 0 },
          },
          {
            name: 'b:5432',
            role: 'standby',
            lag_seconds: 4,
            connections: { open: 3, idle: 2, waiting: 1 },
          },
        ],
      },
    }),
  );
  metrics.observeMode('read_only');
  const text = await metrics.metrics();
  expect(valueOf(text, 'catalog_jobs{state="queued"}')).toBeNaN();
  expect(valueOf(text, 'catalog_outbox_events')).toBeNaN();
  expect(valueOf(text, 'catalog_read_only')).toBe(1);
  expect(valueOf(text, 'catalog_mode_changes_total{mode="read_only"}')).toBe(1);
  expect(valueOf(text, 'catalog_store_servers{server="a:5432",role="unreachable"}')).toBe(1);
  // An alert can compare a number with 0, but not a missing series.
  expect(valueOf(text, 'catalog_store_servers{server="a:5432",role="standby"}')).toBe(0);
  expect(valueOf(text, 'catalog_store_servers{server="b:5432",role="rival"}')).toBe(0);
  expect(valueOf(text, 'catalog_store_replica_lag_seconds{server="b:5432"}')).toBe(4);
  expect(valueOf(text, 'catalog_store_replica_lag_seconds{server="a:5432"}')).toBeUndefined();
  expect(valueOf(text, 'catalog_store_connections{server="b:5432",state="idle"}')).toBe(2);
});

test('metrics respond before the scrape timeout if the store hangs', async () => {
  const hang = () => new Promise<never>(() => undefined);
  const metrics = openMetrics(observed({ jobs: { ...observed().jobs, depth: hang } }));
  const started = performance.now();
  const text = await metrics.metrics();
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(valueOf(text, 'catalog_jobs{state="queued"}')).toBeNaN();
  expect(valueOf(text, 'catalog_outbox_events')).toBe(10);
});

test('metrics initialize failure counters with 0, so that the first failures show as an increase', async () => {
  const text = await openMetrics(observed()).metrics();
  expect(valueOf(text, 'catalog_ingest_duration_seconds_count{outcome="failed"}')).toBe(0);
  expect(valueOf(text, 'catalog_webhook_attempts_total{outcome="failed"}')).toBe(0);
});

test('metrics time ingests by outcome', async () => {
  const metrics = openMetrics(observed());
  metrics.observeIngest('done', 2);
  metrics.observeIngest('failed', 20);
  const text = await metrics.metrics();
  expect(valueOf(text, 'catalog_ingest_duration_seconds_count{outcome="done"}')).toBe(1);
  expect(valueOf(text, 'catalog_ingest_duration_seconds_sum{outcome="failed"}')).toBe(20);
});

test('metrics of two registries in one process are separate except for process metrics', async () => {
  const [one, two] = [openMetrics(observed()), openMetrics(observed())];
  one.observeRequest({ endpoint: 'healthz', status: 200, duration_ms: 1 });
  const text = await two.metrics();
  expect(text).not.toContain('endpoint="healthz"');
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  expect(two.contentType).toContain('text/plain');
});

test('metrics count created vectors, pending embeddings and degraded searches', async () => {
  const metrics = openMetrics(observed());
  metrics.observeEmbedded({ made: 5, failed: 2 });
  metrics.observeDegraded();
  const text = await metrics.metrics();
  expect(valueOf(text, 'catalog_embedded_texts_total{outcome="made"}')).toBe(5);
  expect(valueOf(text, 'catalog_embedded_texts_total{outcome="failed"}')).toBe(2);
  expect(valueOf(text, 'catalog_searches_degraded_total')).toBe(1);
  expect(valueOf(text, 'catalog_embeddings_waiting')).toBe(7);
});

test('metrics count and time requests to embedding providers and show the state of the circuit breaker', async () => {
  const state = { provider: 'openai', state: 'open' as const };
  const metrics = openMetrics(observed({ providers: () => [state] }));
  const request = { provider: 'openai', side: 'query', seconds: 0.3 } as const;
  for (const outcome of ['answered', 'failed', 'failed', 'busy'] as const) {
    metrics.observeEmbedding({ ...request, outcome });
  }
  const text = await metrics.metrics();
  const count = (outcome: string): number | undefined =>
    valueOf(
      text,
      `catalog_embedding_requests_total{provider="openai",side="query",outcome="${outcome}"}`,
    );
  expect([count('answered'), count('failed'), count('busy')]).toEqual([1, 2, 1]);
  expect(valueOf(text, 'catalog_embedding_breaker_open{provider="openai"}')).toBe(1);
  const bucket = (le: string): number | undefined =>
    valueOf(
      text,
      `catalog_embedding_request_duration_seconds_bucket{le="${le}",provider="openai",side="query"}`,
    );
  expect([bucket('0.25'), bucket('0.5')]).toEqual([0, 4]);
});

test('shows reads that wait for the database, and lost ones', async () => {
  const text = await openMetrics(observed()).metrics();
  expect(text).toContain('catalog_reads_held 3\n');
  expect(text).toContain('catalog_reads_lost_total 2\n');
});
