/** Version, trace id, parent id and flags, as the W3C recommendation writes them. */
const TRACEPARENT =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:$|-)/;

/** The span of the caller. Its `sampled` flag is ignored: callers do not decide what is recorded. */
export interface RemoteSpan {
  trace_id: string;
  parent_id: string;
}

/** Reads a `traceparent` header. Returns undefined if there is none, or an invalid one. */
export function readTraceparent(header: string | undefined): RemoteSpan | undefined {
  const [, trace_id, parent_id] = (header !== undefined && TRACEPARENT.exec(header)) || [];
  return trace_id === undefined || parent_id === undefined ? undefined : { trace_id, parent_id };
}
