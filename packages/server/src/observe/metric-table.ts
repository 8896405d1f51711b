interface MetricRow {
  name: string;
  kind: 'counter' | 'histogram' | 'gauge';
  help: string;
  /** Names of labels. Their values are bounded: operations and status classes, never values from callers. */
  labelNames: readonly string[];
  /** Upper bounds of the buckets, in seconds. */
  buckets?: readonly number[];
}

/** All metrics, also the source of `docs/reference/metrics.md`. */
export const METRICS = {
  requests: {
    name: 'catalog_requests_total',
    kind: 'counter',
    help: 'Completed requests, by operation and status class.',
    labelNames: ['endpoint', 'status'],
  },
  request_durations: {
    name: 'catalog_request_duration_seconds',
    kind: 'histogram',
    help: 'Request duration, by operation.',
    labelNames: ['endpoint'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  ingest_durations: {
    name: 'catalog_ingest_duration_seconds',
    kind: 'histogram',
    help: 'Ingest duration, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900],
  },
  jobs: {
    name: 'catalog_jobs',
    kind: 'gauge',
    help: 'Queued and running ingests.',
    labelNames: ['state'],
  },
  job_wait: {
    name: 'catalog_job_oldest_wait_seconds',
    kind: 'gauge',
    help: 'Age of the oldest queued ingest; 0 if the queue is empty.',
    labelNames: [],
  },
  searches_degraded: {
    name: 'catalog_searches_degraded_total',
    kind: 'counter',
    help: 'Searches that used keywords only because the embeddings were unavailable.',
    labelNames: [],
  },
  embedded: {
    name: 'catalog_embedded_texts_total',
    kind: 'counter',
    help: 'Texts embedded and failed attempts, by outcome.',
    labelNames: ['outcome'],
  },
  embeddings_waiting: {
    name: 'catalog_embeddings_waiting',
    kind: 'gauge',
    help: 'Texts pending embedding with the configured model.',
    labelNames: [],
  },
  outbox_lag: {
    name: 'catalog_outbox_lag_events',
    kind: 'gauge',
    help: "Committed events not yet delivered to this process's subscribers.",
    labelNames: [],
  },
  outbox_events: {
    name: 'catalog_outbox_events',
    kind: 'gauge',
    help: 'Events available for replay.',
    labelNames: [],
  },
  webhook_attempts: {
    name: 'catalog_webhook_attempts_total',
    kind: 'counter',
    help: 'Attempts to deliver to webhook receivers, by outcome.',
    labelNames: ['outcome'],
  },
  webhook_durations: {
    name: 'catalog_webhook_attempt_duration_seconds',
    kind: 'histogram',
    help: 'Duration of attempts to deliver to webhook receivers.',
    labelNames: [],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  webhook_pending: {
    name: 'catalog_webhook_pending',
    kind: 'gauge',
    help: 'Webhook deliveries that wait for their first attempt or a retry.',
    labelNames: [],
  },
  webhook_wait: {
    name: 'catalog_webhook_oldest_pending_seconds',
    kind: 'gauge',
    help: 'Age of the oldest pending webhook delivery; 0 if none is pending.',
    labelNames: [],
  },
  webhook_disabled: {
    name: 'catalog_webhook_disabled_receivers',
    kind: 'gauge',
    help: 'Webhook receivers that are disabled.',
    labelNames: [],
  },
  backup_age: {
    name: 'catalog_backup_age_seconds',
    kind: 'gauge',
    help: 'Time since the start of the newest complete `catalog admin backup`; `+Inf` if there is none.',
    labelNames: [],
  },
  verification_age: {
    name: 'catalog_verification_age_seconds',
    kind: 'gauge',
    help: 'Time since the start of the newest `catalog admin verify` without findings; `+Inf` if there is none.',
    labelNames: [],
  },
  degraded: {
    name: 'catalog_degraded',
    kind: 'gauge',
    help: '1 while a dependency is unavailable that most requests do not need, otherwise 0.',
    labelNames: ['part'],
  },
  read_only: {
    name: 'catalog_read_only',
    kind: 'gauge',
    help: '1 while the primary store is unavailable and the registry is read-only, otherwise 0.',
    labelNames: [],
  },
  mode_changes: {
    name: 'catalog_mode_changes_total',
    kind: 'counter',
    help: 'Transitions to read-only and back to ready.',
    labelNames: ['mode'],
  },
  store_servers: {
    name: 'catalog_store_servers',
    kind: 'gauge',
    help: '1 for the role of a database server that the last probe found, 0 for the other roles.',
    labelNames: ['server', 'role'],
  },
  replica_lag: {
    name: 'catalog_store_replica_lag_seconds',
    kind: 'gauge',
    help: "Upper bound of a standby's replication lag.",
    labelNames: ['server'],
  },
  store_connections: {
    name: 'catalog_store_connections',
    kind: 'gauge',
    help: 'Open and idle connections of this process to a database server, and callers waiting for one.',
    labelNames: ['server', 'state'],
  },
  embedding_requests: {
    name: 'catalog_embedding_requests_total',
    kind: 'counter',
    help: 'Requests to embedding providers: succeeded, failed, or rate limited.',
    labelNames: ['provider', 'side', 'outcome'],
  },
  embedding_durations: {
    name: 'catalog_embedding_request_duration_seconds',
    kind: 'histogram',
    help: 'Duration of requests to embedding providers, for queries and documents.',
    labelNames: ['provider', 'side'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
  },
  embedding_breakers: {
    name: 'catalog_embedding_breaker_open',
    kind: 'gauge',
    help: '1 while requests to an embedding provider are paused because it failed or is rate limiting, otherwise 0.',
    labelNames: ['provider'],
  },
  reads_held: {
    name: 'catalog_reads_held',
    kind: 'gauge',
    help: 'Read records and usage counts in memory that are not stored yet.',
    labelNames: [],
  },
  reads_lost: {
    name: 'catalog_reads_lost_total',
    kind: 'counter',
    help: 'Reads and uses that were not recorded because too many were waiting for the database.',
    labelNames: [],
  },
  telemetry_spans: {
    name: 'catalog_telemetry_spans_total',
    kind: 'counter',
    help: 'Spans exported to the collector, and spans dropped because it was unavailable or rejected them.',
    labelNames: ['outcome'],
  },
  telemetry_exports: {
    name: 'catalog_telemetry_exports_total',
    kind: 'counter',
    help: 'Requests to the collector for traces and metrics, by outcome.',
    labelNames: ['signal', 'outcome'],
  },
} as const satisfies Readonly<Record<string, MetricRow>>;
