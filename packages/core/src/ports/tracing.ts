/** Attributes with a bounded set of values: no names, paths, URLs, queries, tokens or personal data. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface NewSpan {
  name: string;
  /** `server` for a received request, `client` for a sent one; otherwise internal. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
}

export interface TraceOrigin {
  /** Trace id, 32 hex digits. */
  trace_id: string;
  /** Id of the caller's span, 16 hex digits. */
  parent_id?: string | undefined;
  trace_state?: string | undefined;
}

export interface ActiveSpan {
  /** Value of the `traceparent` header for requests within the span. */
  traceparent: string;
  set(attributes: SpanAttributes): void;
  fail(code: string): void;
}

/** Records how long the parts of a request or job take. */
export interface Tracing {
  startTrace<Result>(
    origin: TraceOrigin,
    span: NewSpan,
    work: (span: ActiveSpan) => Promise<Result>,
  ): Promise<Result>;
  startSpan<Result>(span: NewSpan, work: () => Promise<Result>): Promise<Result>;
  detach<Result>(work: () => Result): Result;
}
