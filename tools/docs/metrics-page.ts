import { METRICS } from '@catalog/server/observe/metric-table';
import { code, page, table } from './markdown.ts';

export function metricsPage(): string {
  return page('Metrics', 'packages/server/src/observe/metric-table.ts', [
    '`GET /metrics` returns the text format of Prometheus, unless `metrics: false` disables it. Labels are ' +
      'bounded: `endpoint` is the name of an operation (`load_artifact`, `search_artifacts`, ...), `status` its class ' +
      '(`2xx`, `4xx`, ...). For the rate and latency of searches, use `endpoint="search_artifacts"`.',
    table(
      ['Metric', 'Kind', 'Labels', 'Meaning'],
      Object.values(METRICS).map(({ name, kind, labelNames, help }) => [
        code(name),
        kind,
        labelNames.map(code).join(', '),
        help,
      ]),
    ),
    'The page also has the metrics of every Node process: `process_cpu_seconds_total`, `process_resident_memory_bytes`, ' +
      '`process_open_fds`, `nodejs_eventloop_lag_seconds` with its percentiles, `nodejs_heap_size_used_bytes`, ' +
      '`nodejs_gc_duration_seconds` and similar ones, collected from the first request on.',
  ]);
}
