import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { TraceState } from '@opentelemetry/core';
import type { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ActiveSpan, NewSpan, TraceOrigin, Tracing } from '@catalog/core/ports/tracing';

export type EndedSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

export type TelemetrySource = Pick<EndedSpan, 'resource' | 'instrumentationScope'>;

export interface TracingOptions {
  source: TelemetrySource;
  ratio: number;
  /** Secret key that all processes of a registry share. */
  sampling_key: string;
  onEnd: (span: EndedSpan) => void;
  now: () => Date;
  monotonicMs: () => number;
  newSpanId: () => string;
}

interface Trace {
  trace_id: string;
  trace_state: TraceState | undefined;
  epoch_ms: number;
  /** True after the first span has ended. Later work is not part of the trace. */
  has_ended: boolean;
}

interface Current {
  trace: Trace;
  span_id: string;
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;
const UNUSED = {
  events: [],
  links: [],
  ended: true,
  droppedAttributesCount: 0,
  droppedEventsCount: 0,
  droppedLinksCount: 0,
} satisfies Partial<EndedSpan>;

export function createTracing(options: TracingOptions): Tracing {
  const { source, onEnd, monotonicMs } = options;
  const current = new AsyncLocalStorage<Current>();
  const isSampled = createSampler(options);

  async function record<Result>(
    trace: Trace,
    parent: EndedSpan['parentSpanContext'],
    { name, kind, attributes }: NewSpan,
    work: (span: ActiveSpan) => Promise<Result>,
  ): Promise<Result> {
    const { trace_id: traceId, trace_state: traceState } = trace;
    const spanId = options.newSpanId();
    const all: Record<string, string | number> = { ...attributes };
    let status: EndedSpan['status'] = { code: SpanStatusCode.UNSET };
    const span: ActiveSpan = {
      traceparent: `00-${traceId}-${spanId}-01`,
      set: (more) => void Object.assign(all, more),
      fail(code) {
        all['error.type'] = code;
        status = { code: SpanStatusCode.ERROR };
      },
    };
    const started = monotonicMs();
    try {
      return await current.run({ trace, span_id: spanId }, () => work(span));
    } catch (error) {
      span.fail(codeOf(error));
      throw error;
    } finally {
      const ended = monotonicMs();
      const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
      onEnd({
        name,
        kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
        spanContext: () => (traceState === undefined ? context : { ...context, traceState }),
        ...(parent && { parentSpanContext: parent }),
        startTime: toHrTime(trace.epoch_ms + started),
        endTime: toHrTime(trace.epoch_ms + ended),
        duration: toHrTime(ended - started),
        status,
        attributes: all,
        ...source,
        ...UNUSED,
      });
    }
  }

  return {
    async startTrace(origin, span, work) {
      const { trace_id, trace_state } = origin;
      if (!isSampled(trace_id)) {
        const unrecorded = new UnrecordedSpan(trace_id, options.newSpanId);
        return current.getStore() === undefined
          ? work(unrecorded)
          : current.exit(() => work(unrecorded));
      }
      const trace: Trace = {
        trace_id,
        trace_state: trace_state === undefined ? undefined : new TraceState(trace_state),
        epoch_ms: options.now().getTime() - monotonicMs(),
        has_ended: false,
      };
      try {
        return await record(trace, remoteParent(origin), span, work);
      } finally {
        trace.has_ended = true;
      }
    },
    startSpan(span, work) {
      const found = current.getStore();
      if (found === undefined || found.trace.has_ended) return work();
      const parent = {
        traceId: found.trace.trace_id,
        spanId: found.span_id,
        traceFlags: TraceFlags.SAMPLED,
      };
      return record(found.trace, parent, span, work);
    },
    detach: (work) => current.exit(work),
  };
}

/** Span of a trace that is not sampled. The id has a getter, because only webhooks need it. */
class UnrecordedSpan implements ActiveSpan {
  readonly #trace_id: string;
  readonly #newSpanId: () => string;

  constructor(trace_id: string, newSpanId: () => string) {
    this.#trace_id = trace_id;
    this.#newSpanId = newSpanId;
  }

  get traceparent(): string {
    return `00-${this.#trace_id}-${this.#newSpanId()}-00`;
  }

  set(): void {}

  fail(): void {}
}

/**
 * Decides by a keyed hash of the trace id whether a trace is sampled. All processes decide alike, and a caller cannot
 * force sampling with a chosen trace id.
 */
function createSampler({ ratio, sampling_key }: TracingOptions): (trace_id: string) => boolean {
  if (ratio <= 0 || ratio >= 1) return () => ratio >= 1;
  const bound = ratio * 2 ** 32;
  return (trace_id) =>
    Number.parseInt(hash('sha256', sampling_key + trace_id).slice(0, 8), 16) < bound;
}

function remoteParent({ trace_id, parent_id }: TraceOrigin): EndedSpan['parentSpanContext'] {
  if (parent_id === undefined) return undefined;
  return { traceId: trace_id, spanId: parent_id, traceFlags: TraceFlags.NONE, isRemote: true };
}

/** Returns the code or the class of an error, because messages can contain names. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

export function toHrTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
