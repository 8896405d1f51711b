import type { SendRequest } from '../egress/send-request.ts';
import { readRetryAfter } from '../egress/retry-after.ts';

export type Signal = 'traces' | 'metrics';

/** Result of an export. Only `unavailable` can be retried. */
export type ExportResult =
  | { kind: 'accepted'; rejected: number }
  | { kind: 'unavailable'; retry_after_ms: number | undefined }
  | { kind: 'refused' };

export interface Collector {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  send: SendRequest;
  now: () => Date;
  /** Called after each export; `problem` is undefined on success. */
  onExport: (signal: Signal, problem: string | undefined) => void;
}

const REQUEST_MS = 10_000;
const MAX_RESPONSE_BYTES = 65_536;
/** Statuses after which OTLP allows a retry. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Posts an OTLP message. `countRejected` parses the response to an accepted one. */
export async function exportRequest(
  { endpoint, headers, send, now, onExport }: Collector,
  signal: Signal,
  body: Uint8Array,
  countRejected: (response: Uint8Array) => number,
  stop: AbortSignal,
): Promise<ExportResult> {
  try {
    const response = await send(
      {
        url: `${endpoint}/v1/${signal}`,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-protobuf' },
        body,
        max_bytes: MAX_RESPONSE_BYTES,
        timeout_ms: REQUEST_MS,
      },
      stop,
    );
    const { status } = response;
    if (status >= 200 && status < 300) {
      const rejected = countRejected(response.body);
      onExport(signal, undefined);
      return { kind: 'accepted', rejected };
    }
    onExport(signal, `the collector responded with status ${status}`);
    if (!RETRYABLE_STATUSES.has(status)) return { kind: 'refused' };
    const retry_after_ms = readRetryAfter(response.headers['retry-after'], now);
    return { kind: 'unavailable', retry_after_ms };
  } catch (error) {
    onExport(signal, error instanceof Error ? error.message : String(error));
    return { kind: 'unavailable', retry_after_ms: undefined };
  }
}
