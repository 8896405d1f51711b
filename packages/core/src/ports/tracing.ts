/** Values come from bounded sets: no names, paths, URLs of callers, queries, tokens or personal data. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface NewSpan {
  name: string;
  /** `server` for a received request, `client` for a sent one; `internal` if undefined. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
}

export interface TraceOrigin {
  /** 32 hex digits. */
  trace_id: string;
  /** Span of the remote caller: 16 hex digits. */
  parent_id?: string | undefined;
  trace_state?: string | undefined;
}

export interface ActiveSpan {
  /** `traceparent` header for requests that are part of the span. */
  traceparent: string;
  set(attributes: SpanAttributes): void;
  fail(code: string): void;
}

/** Records the duration of the parts of a request or a job. */
export interface Tracing {
  startTrace<Result>(
    origin: TraceOrigin,
    span: NewSpan,
    work: (span: ActiveSpan) => Promise<Result>,
  ): Promise<Result>;
  startSpan<Result>(span: NewSpan, work: () => Promise<Result>): Promise<Result>;
  detach<Result>(work: () => Result): Result;
}
