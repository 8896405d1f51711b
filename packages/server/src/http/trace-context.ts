/** Version, trace id, parent id and flags in the W3C format. */
const TRACEPARENT =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:$|-)/;

/** Trace context of the caller. The `sampled` flag is ignored, because callers do not decide about sampling. */
export interface RemoteSpan {
  trace_id: string;
  parent_id: string;
}

/** Parses a `traceparent` header; undefined if it is missing or invalid. */
export function readTraceparent(header: string | undefined): RemoteSpan | undefined {
  const [, trace_id, parent_id] = (header !== undefined && TRACEPARENT.exec(header)) || [];
  return trace_id === undefined || parent_id === undefined ? undefined : { trace_id, parent_id };
}
