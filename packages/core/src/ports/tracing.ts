/** Values come from bounded sets: no names, paths, URLs of callers, queries, tokens or personal data. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A span to start. */
export interface NewSpan {
  name: string;
  /** `server` for a received request, `client` for a sent one; `internal` if undefined. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
}

/** The trace that work belongs to. */
export interface TraceOrigin {
  /** 32 hex digits. */
  trace_id: string;
  /** Span of the remote caller: 16 hex digits. */
  parent_id?: string | undefined;
  /** The `tracestate` header of the remote caller. */
  trace_state?: string | undefined;
}

/** A span in progress. */
export interface ActiveSpan {
  /** The `traceparent` header of requests that are part of the span. */
  traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, with the code of an error. */
  fail(code: string): void;
}

/** Records how long the parts of a request or a job take. */
export interface Tracing {
  /** Runs work in the first span that this process records of a trace. */
  startTrace<Result>(
    origin: TraceOrigin,
    span: NewSpan,
    work: (span: ActiveSpan) => Promise<Result>,
  ): Promise<Result>;
  /** Runs work in a child of the current span; without a span if there is no current one. */
  startSpan<Result>(span: NewSpan, work: () => Promise<Result>): Promise<Result>;
  /** Runs work outside of the current trace. */
  detach<Result>(work: () => Result): Result;
}
