/** One request, ready to be sent. */
export interface TransportRequest {
  method: string;
  /** Absolute. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** How long a connection may take to be made, for transports that can tell. */
  connect_ms: number;
  /** Addresses to connect to instead of resolving the host, for transports that can. */
  addresses?: readonly string[];
  /** Ends the request at any time, also while its answer is being read. */
  signal: AbortSignal;
}

/** An answer whose head has arrived. */
export interface TransportResponse {
  status: number;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** The body, decompressed. It can be read once. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** What carries requests; `fetchTransport` unless the program has one that suits its platform better. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/**
 * Sends through `fetch`, in Node and in browsers. Redirects are answers like others: following one
 * would carry a token to an address nobody configured.
 */
export async function fetchTransport(request: TransportRequest): Promise<TransportResponse> {
  const { method, url, headers, body, signal } = request;
  const response = await fetch(url, {
    method,
    headers,
    signal,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    async *chunks() {
      if (response.body === null) return;
      const reader = response.body.getReader();
      try {
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          yield read.value;
        }
      } finally {
        await reader.cancel();
      }
    },
  };
}
