import type { IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenForOtlp } from './otlp-listener.ts';

export interface ReceivedSpan {
  trace_id: string;
  span_id: string;
  parent_id: string;
  trace_state: string;
  name: string;
  kind: 'unspecified' | 'internal' | 'server' | 'client';
  start_ms: number;
  end_ms: number;
  attributes: Record<string, string | number>;
  status: 'unset' | 'ok' | 'error';
}

export interface ReceivedMetric {
  name: string;
  unit: string;
  kind: 'gauge' | 'sum' | 'histogram';
  points: {
    attributes: Record<string, string | number>;
    value: number | undefined;
    count: number;
    sum: number;
    bounds: number[];
    bucket_counts: number[];
  }[];
}

export interface OtlpCollector {
  url: string;
  requests: { path: string; headers: IncomingHttpHeaders }[];
  spans: ReceivedSpan[];
  resources: Record<string, string | number>[];
  metrics: Map<string, ReceivedMetric>;
  /** Sets the status of later responses; with `hang` there is none. */
  respond(status: number | 'hang'): void;
  until(condition: () => boolean): Promise<void>;
}

/** Starts a collector on loopback until the end of the test, for OTLP over HTTP in protobuf. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  let answer: number | 'hang' = 200;
  const waiting = new Set<() => void>();
  const listener = await listenForOtlp(({ path, headers, body }) => {
    collector.requests.push({ path, headers });
    if (answer === 200 && path === '/v1/traces') readTraces(body, collector);
    if (answer === 200 && path === '/v1/metrics') readMetrics(body, collector);
    for (const check of waiting) check();
    return answer;
  });
  onTestFinished(() => listener.close());
  const collector: OtlpCollector = {
    url: listener.url,
    requests: [],
    spans: [],
    resources: [],
    metrics: new Map(),
    respond: (next) => void (answer = next),
    until: (condition) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
  return collector;
}

const KINDS = ['unspecified', 'internal', 'server', 'client'] as const;
const STATUSES = ['unset', 'ok', 'error'] as const;

/** Decodes spans. Field numbers are those of opentelemetry/proto/trace/v1/trace.proto. */
function readTraces(body: Buffer, collector: OtlpCollector): void {
  for (const resource of readMessage(body).messages(1)) {
    collector.resources.push(attributesOf(resource.message(1), 1));
    for (const scope of resource.messages(2)) {
      for (const span of scope.messages(2)) {
        collector.spans.push({
          trace_id: span.bytes(1).toString('hex'),
          span_id: span.bytes(2).toString('hex'),
          trace_state: span.bytes(3).toString(),
          parent_id: span.bytes(4).toString('hex'),
          name: span.bytes(5).toString(),
          kind: KINDS[span.number(6)] ?? 'unspecified',
          start_ms: span.number(7) / 1e6,
          end_ms: span.number(8) / 1e6,
          attributes: attributesOf(span, 9),
          status: STATUSES[span.message(15).number(3)] ?? 'unset',
        });
      }
    }
  }
}

/** Decodes metrics. Field numbers are those of opentelemetry/proto/metrics/v1/metrics.proto. */
function readMetrics(body: Buffer, collector: OtlpCollector): void {
  collector.metrics.clear();
  for (const resource of readMessage(body).messages(1)) {
    collector.resources.push(attributesOf(resource.message(1), 1));
    for (const metric of resource.messages(2).flatMap((scope) => scope.messages(2))) {
      const name = metric.bytes(1).toString();
      const unit = metric.bytes(3).toString();
      const kind = metric.has(9) ? 'histogram' : metric.has(7) ? 'sum' : 'gauge';
      const data = metric.message(kind === 'histogram' ? 9 : kind === 'sum' ? 7 : 5);
      const points = data.messages(1).map((point) => ({
        attributes: attributesOf(point, kind === 'histogram' ? 9 : 7),
        value: kind === 'histogram' ? undefined : point.double(4),
        count: kind === 'histogram' ? point.number(4) : 0,
        sum: kind === 'histogram' ? point.double(5) : 0,
        bucket_counts: eights(point.bytes(6), (at, bytes) => Number(bytes.readBigUInt64LE(at))),
        bounds:
          kind === 'histogram' ? eights(point.bytes(7), (at, bytes) => bytes.readDoubleLE(at)) : [],
      }));
      collector.metrics.set(name, { name, unit, kind, points });
    }
  }
}

function eights(bytes: Buffer, read: (at: number, bytes: Buffer) => number): number[] {
  return Array.from({ length: bytes.length / 8 }, (_, index) => read(index * 8, bytes));
}

function attributesOf(message: Message, field: number): Record<string, string | number> {
  return Object.fromEntries(
    message.messages(field).map((pair) => {
      const value = pair.message(2);
      const read = value.has(1)
        ? value.bytes(1).toString()
        : value.has(4)
          ? value.double(4)
          : value.number(3);
      return [pair.bytes(1).toString(), read];
    }),
  );
}

interface Message {
  has(field: number): boolean;
  number(field: number): number;
  double(field: number): number;
  bytes(field: number): Buffer;
  message(field: number): Message;
  messages(field: number): Message[];
}

function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
  function take(length: number): Buffer {
    at += length;
    if (at > bytes.length) throw new Error('the message is truncated');
    return bytes.subarray(at - length, at);
  }
  const LENGTHS = new Map([
    [1, 8],
    [5, 4],
  ]);
  while (at < bytes.length) {
    const tag = Number(varint());
    const type = tag & 7;
    const length = type === 2 ? Number(varint()) : LENGTHS.get(type);
    if (length === undefined && type !== 0) throw new Error(`unknown wire type ${type}`);
    const value = length === undefined ? varint() : take(length);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  const bytesOf = (field: number): Buffer[] =>
    (fields.get(field) ?? []).filter((value) => Buffer.isBuffer(value));
  const first = (field: number): bigint | Buffer | undefined => fields.get(field)?.[0];
  const message: Message = {
    has: (field) => fields.has(field),
    number(field) {
      const value = first(field) ?? 0n;
      return Number(typeof value === 'bigint' ? value : value.readBigUInt64LE(0));
    },
    double: (field) => bytesOf(field)[0]?.readDoubleLE(0) ?? 0,
    bytes: (field) => bytesOf(field)[0] ?? Buffer.alloc(0),
    message: (field) => readMessage(message.bytes(field)),
    messages: (field) => bytesOf(field).map(readMessage),
  };
  return message;
}
