import type { SendRequest } from '../egress/send-request.ts';
import { readRetryAfter } from '../egress/retry-after.ts';

export type Signal = 'traces' | 'metrics';

/** Result of an export. Another attempt can succeed only after `unavailable`. */
export type ExportResult =
  | { kind: 'accepted'; rejected: number }
  | { kind: 'unavailable'; retry_after_ms: number | undefined }
  | { kind: 'refused' };

export interface Collector {
  /** Base URL, without a slash at the end. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  send: SendRequest;
  now: () => Date;
  /** A request to the collector ended; `problem` is undefined if it succeeded. */
  onExport: (signal: Signal, problem: string | undefined) => void;
}

const REQUEST_MS = 10_000;
const MAX_RESPONSE_BYTES = 65_536;
/** The statuses after which the OTLP specification allows another attempt. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Posts a message of OTLP. `countRejected` reads the response to an accepted one. */
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
    if (!PASSING.has(status)) return { kind: 'refused' };
    const retry_after_ms = readRetryAfter(response.headers['retry-after'], now);
    return { kind: 'unavailable', retry_after_ms };
  } catch (error) {
    onExport(signal, error instanceof Error ? error.message : String(error));
    return { kind: 'unavailable', retry_after_ms: undefined };
  }
}
