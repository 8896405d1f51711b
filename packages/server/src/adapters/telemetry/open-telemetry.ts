import {
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import type { Tracing } from '@catalog/core/ports/tracing';
import { inTime } from '../in-time.ts';
import {
  createTracing,
  toHrTime,
  type TelemetrySource,
  type TracingOptions,
} from './create-tracing.ts';
import { exportRequest, type Collector } from './export-request.ts';
import { createSpanQueue, type SpanQueueOptions } from './span-queue.ts';
import { toMetricData, type CollectedMetric } from './to-metric-data.ts';

export interface TelemetryOptions
  extends
    Collector,
    Omit<TracingOptions, 'onEnd' | 'source' | 'now'>,
    Pick<SpanQueueOptions, 'onSpans'> {
  resource: Readonly<Record<string, string>>;
  version: string;
  /** Interval of the metrics export; 0 disables it. */
  metrics_interval_ms: number;
  collect: () => Promise<readonly CollectedMetric[]>;
}

export interface Telemetry {
  tracing: Tracing | undefined;
  close(): Promise<void>;
}

const CLOSE_MS = 3000;

/** Opens the export of traces and metrics with OTLP over HTTP (protobuf). */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const { now, ratio, resource, version, metrics_interval_ms, onSpans } = options;
  const source: TelemetrySource = {
    resource: { attributes: resource, merge: () => source.resource, getRawAttributes: () => [] },
    instrumentationScope: { name: 'catalog', version },
  };
  const stopped = new AbortController();
  const queue = createSpanQueue({
    onSpans,
    send: (spans) =>
      exportRequest(
        options,
        'traces',
        ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array(),
        countRejectedSpans,
        stopped.signal,
      ),
  });
  const opened_at = toHrTime(now().getTime());

  async function exportMetrics(): Promise<void> {
    const metrics = toMetricData(await options.collect(), opened_at, toHrTime(now().getTime()));
    const request = {
      resource: source.resource,
      scopeMetrics: [{ scope: source.instrumentationScope, metrics }],
    };
    const body = ProtobufMetricsSerializer.serializeRequest(request) ?? new Uint8Array();
    await exportRequest(options, 'metrics', body, () => 0, stopped.signal);
  }

  let exporting: Promise<void> | undefined;
  function exportMetricsOnce(): Promise<void> {
    exporting ??= exportMetrics()
      .catch((error: unknown) => options.onExport('metrics', String(error)))
      .finally(() => (exporting = undefined));
    return exporting;
  }

  const hasMetrics = metrics_interval_ms > 0;
  const timer = hasMetrics
    ? setInterval(() => void exportMetricsOnce(), metrics_interval_ms).unref()
    : undefined;
  return {
    tracing:
      ratio > 0
        ? createTracing({ ...options, source, onEnd: (span) => queue.add(span) })
        : undefined,
    async close() {
      clearInterval(timer);
      const last = Promise.all([queue.close(), hasMetrics && exportMetricsOnce()]);
      await inTime(last, CLOSE_MS).catch(() => stopped.abort());
    },
  };
}

/** Counts rejected spans in the response of a collector; 0 if the response is not OTLP. */
function countRejectedSpans(response: Uint8Array): number {
  try {
    const { partialSuccess } = ProtobufTraceSerializer.deserializeResponse(response);
    return partialSuccess?.rejectedSpans ?? 0;
  } catch {
    return 0;
  }
}
