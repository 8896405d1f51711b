/** A request to send. */
export interface TransportRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** Timeout for connecting, if the transport supports it. */
  connect_ms: number;
  /** Addresses to connect to, if the transport supports it. */
  addresses?: readonly string[];
  /** Signal, which also aborts reading the response. */
  signal: AbortSignal;
}

/** Response whose headers have arrived. */
export interface TransportResponse {
  status: number;
  header(name: string): string | undefined;
  chunks(): AsyncIterable<Uint8Array>;
}

/** Function that sends requests; `fetchTransport` by default. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Sends a request with `fetch`. Redirects are returned, because following one could send a token to another host. */
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
