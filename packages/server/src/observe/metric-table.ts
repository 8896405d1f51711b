interface MetricRow {
  name: string;
  kind: 'counter' | 'histogram' | 'gauge';
  help: string;
  /** Bounded sets: names of operations, classes of status, never anything a caller chose. */
  labelNames: readonly string[];
  /** Upper bounds of a histogram, in seconds. */
  buckets?: readonly number[];
}

/** Every measurement of a registry beside those of its process. `docs/reference/metrics.md` is made from it. */
export const METRICS = {
  requests: {
    name: 'catalog_requests_total',
    kind: 'counter',
    help: 'Requests answered, by operation and class of status.',
    labelNames: ['endpoint', 'status'],
  },
  request_durations: {
    name: 'catalog_request_duration_seconds',
    kind: 'histogram',
    help: 'How long requests took to answer, by operation.',
    labelNames: ['endpoint'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  ingest_durations: {
    name: 'catalog_ingest_duration_seconds',
    kind: 'histogram',
    help: 'How long ingests ran, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900],
  },
  jobs: {
    name: 'catalog_jobs',
    kind: 'gauge',
    help: 'Ingests that wait and that run.',
    labelNames: ['state'],
  },
  job_wait: {
    name: 'catalog_job_oldest_wait_seconds',
    kind: 'gauge',
    help: 'How long the oldest ingest that waits has waited; 0 when none does.',
    labelNames: [],
  },
  searches_degraded: {
    name: 'catalog_searches_degraded_total',
    kind: 'counter',
    help: 'Searches answered by words alone because the vectors did not answer.',
    labelNames: [],
  },
  embedded: {
    name: 'catalog_embedded_texts_total',
    kind: 'counter',
    help: 'Texts that got their vectors, and tries that failed, by outcome.',
    labelNames: ['outcome'],
  },
  embeddings_waiting: {
    name: 'catalog_embeddings_waiting',
    kind: 'gauge',
    help: 'Texts that wait for a vector of the configured model.',
    labelNames: [],
  },
  outbox_lag: {
    name: 'catalog_outbox_lag_events',
    kind: 'gauge',
    help: 'Committed events that the readers of this process have not been handed yet.',
    labelNames: [],
  },
  outbox_events: {
    name: 'catalog_outbox_events',
    kind: 'gauge',
    help: 'Events that can still be replayed.',
    labelNames: [],
  },
  read_only: {
    name: 'catalog_read_only',
    kind: 'gauge',
    help: '1 while the primary store is away and only reads are answered, otherwise 0.',
    labelNames: [],
  },
  mode_changes: {
    name: 'catalog_mode_changes_total',
    kind: 'counter',
    help: 'How often the registry became read-only, and ready again.',
    labelNames: ['mode'],
  },
  store_servers: {
    name: 'catalog_store_servers',
    kind: 'gauge',
    help: 'Database servers by what the last probe found them to be.',
    labelNames: ['server', 'role'],
  },
  replica_lag: {
    name: 'catalog_store_replica_lag_seconds',
    kind: 'gauge',
    help: 'How old at most what a standby has is.',
    labelNames: ['server'],
  },
  store_connections: {
    name: 'catalog_store_connections',
    kind: 'gauge',
    help: 'Connections of this process to a database server that are open and idle, and callers that wait for one.',
    labelNames: ['server', 'state'],
  },
  embedding_requests: {
    name: 'catalog_embedding_requests_total',
    kind: 'counter',
    help: 'Requests sent to embedding providers: answered with vectors, failed, or told that it is busy.',
    labelNames: ['provider', 'side', 'outcome'],
  },
  embedding_durations: {
    name: 'catalog_embedding_request_duration_seconds',
    kind: 'histogram',
    help: 'How long requests to embedding providers took, for queries and for documents.',
    labelNames: ['provider', 'side'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
  },
  embedding_breakers: {
    name: 'catalog_embedding_breaker_open',
    kind: 'gauge',
    help: '1 while an embedding provider is left alone because it failed or is busy, otherwise 0.',
    labelNames: ['provider'],
  },
} as const satisfies Readonly<Record<string, MetricRow>>;
