import { ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics';

type Labels = Readonly<Partial<Record<string, string | number>>>;

export interface CollectedMetric {
  name: string;
  help: string;
  /** `counter`, `gauge` or `histogram`; prom-client declares a numeric enumeration instead. */
  type: unknown;
  values: readonly { labels: Labels; value: number; metricName?: string }[];
}

type HrTime = DataPoint<number>['startTime'];

export function toMetricData(
  metrics: readonly CollectedMetric[],
  startTime: HrTime,
  endTime: HrTime,
): MetricData[] {
  return metrics.map((metric) => {
    const { name, help: description, type, values } = metric;
    const base = {
      descriptor: { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    const times = { startTime, endTime };
    if (type === 'histogram') {
      const dataPoints = toHistograms(metric).map((point) => ({ ...times, ...point }));
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints };
    }
    const dataPoints = values
      .filter(({ value }) => !Number.isNaN(value))
      .map(({ labels, value }) => ({ ...times, attributes: toAttributes(labels), value }));
    return type === 'counter'
      ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
      : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
  });
}

function unitOf(name: string): string {
  const unit = /_(seconds|bytes)(?:_total)?$/.exec(name)?.[1];
  return unit === 'seconds' ? 's' : unit === 'bytes' ? 'By' : '';
}

function toAttributes(labels: Labels): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

type HistogramPoint = Pick<DataPoint<Histogram>, 'attributes' | 'value'>;

/** Converts a histogram. The buckets of prom-client are cumulative and are merged per label set. */
function toHistograms({ name, values }: CollectedMetric): HistogramPoint[] {
  const points = new Map<string, HistogramPoint & { below: number }>();
  for (const { labels, value, metricName } of values) {
    const { le, ...rest } = labels;
    const key = JSON.stringify(rest);
    let point = points.get(key);
    if (point === undefined) {
      const empty = { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 };
      point = { attributes: toAttributes(rest), value: empty, below: 0 };
      points.set(key, point);
    }
    const histogram = point.value;
    if (metricName === `${name}_sum`) histogram.sum = value;
    else if (metricName === `${name}_count`) histogram.count = value;
    else {
      if (typeof le === 'number') histogram.buckets.boundaries.push(le);
      histogram.buckets.counts.push(value - point.below);
      point.below = value;
    }
  }
  return [...points.values()].map(({ attributes, value }) => ({ attributes, value }));
}
